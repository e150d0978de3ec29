/// The DecoderConfigDescriptor of an `esds` (ISO 14496-1, 7.2.6.6; ISO 14496-14, 5.6).
struct DecoderDescriptor {
  let objectType: UInt8
  let config: Range<Int>?

  private enum Tag {
    static let stream: UInt8 = 3
    static let decoder: UInt8 = 4
    static let specific: UInt8 = 5
  }

  init?(_ bytes: Span<UInt8>, in esds: Range<Int>) {
    // Four bytes of version and flags.
    guard esds.count >= 4 else { return nil }
    let whole = esds.lowerBound + 4..<esds.upperBound
    var decoder = Self.find(Tag.decoder, bytes, in: whole)
    if let stream = Self.find(Tag.stream, bytes, in: whole), let inner = Self.streamContent(bytes, in: stream) {
      decoder = Self.find(Tag.decoder, bytes, in: inner)
    }
    guard let decoder, decoder.count >= 13 else { return nil }
    objectType = bytes[decoder.lowerBound]
    config = Self.find(Tag.specific, bytes, in: decoder.lowerBound + 13..<decoder.upperBound)
  }

  /// Skips the fields of an ES_Descriptor (7.2.6.5). Three fields are optional, by flags.
  private static func streamContent(_ bytes: Span<UInt8>, in stream: Range<Int>) -> Range<Int>? {
    guard stream.count >= 3 else { return nil }
    let flags = bytes[stream.lowerBound + 2]
    var place = stream.lowerBound + 3
    if flags & 0x80 != 0 { place += 2 }
    if flags & 0x40 != 0 {
      guard place < stream.upperBound else { return nil }
      place += 1 + Int(bytes[place])
    }
    if flags & 0x20 != 0 { place += 2 }
    return place <= stream.upperBound ? place..<stream.upperBound : nil
  }

  /// A descriptor that exceeds `range` is cut: some writers write wrong sizes.
  private static func find(_ tag: UInt8, _ bytes: Span<UInt8>, in range: Range<Int>) -> Range<Int>? {
    var place = range.lowerBound
    while place < range.upperBound {
      let found = bytes[place]
      place += 1
      var size = 0
      // Seven bits in each of 1 … 4 bytes; the highest bit is set if another byte follows.
      for _ in 0..<4 {
        guard place < range.upperBound else { return nil }
        let byte = bytes[place]
        place += 1
        size = size << 7 | Int(byte & 0x7F)
        if byte & 0x80 == 0 { break }
      }
      let end = place + min(size, range.upperBound - place)
      if found == tag { return place..<end }
      place = end
    }
    return nil
  }
}

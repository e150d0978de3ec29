/// Generated audio files with valid headers and a different payload in each frame.
enum Frames {
  /// MPEG-1 Layer III, 320 kbit/s at 48 kHz: 960 bytes in 24 ms.
  static func mp3(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { [0xFF, 0xFB, 0xE4, 0x00] + payload($0, 956) }
  }

  /// ADTS AAC-LC at 96 kHz: 8,000 bytes in 10.67 ms, 750 kB a second.
  static func fastAAC(_ count: Int) -> [UInt8] { aac(count, rateIndex: 0, byteCount: 8000) }

  /// ADTS AAC-LC, stereo.
  static func aac(_ count: Int, rateIndex: UInt8, byteCount: Int) -> [UInt8] {
    let length = [0x80 | UInt8(byteCount >> 11), UInt8(byteCount >> 3 & 0xFF), UInt8(byteCount & 7) << 5 | 0x1F, 0xFC]
    return (0..<count).flatMap { [0xFF, 0xF1, 0x40 | rateIndex << 2] + length + payload($0, byteCount - 7) }
  }

  /// A Layer III frame with a marker at the place of the Xing header.
  static func info(_ marker: String) -> [UInt8] {
    var frame = mp3(1)
    frame.replaceSubrange(36..<40, with: marker.utf8)
    return frame
  }

  /// An ID3v2 tag with text that looks like frames.
  static var id3: [UInt8] {
    let body = mp3(3)
    return Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)] + body
  }

  /// Noise that differs for each frame and contains no sync word.
  private static func payload(_ frame: Int, _ count: Int) -> ArraySlice<UInt8> {
    noise[frame % 4096..<frame % 4096 + count]
  }

  private static let noise: [UInt8] = {
    var state: UInt32 = 17
    return (0..<16_384).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24) & 0x7F
    }
  }()
}

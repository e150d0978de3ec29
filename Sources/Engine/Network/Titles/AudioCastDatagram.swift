import Framing

/// A UDP datagram with titles from an Icecast 1.3 server: lines "x-audiocast-…: value", at most 1,023 bytes.
struct AudioCastDatagram: Equatable {
  var number: Int?
  var title: String?
  var url: String?

  static let maxByteCount = 1_023

  init?(_ bytes: Span<UInt8>, _ titles: TitleText) {
    guard bytes.count <= Self.maxByteCount else { return nil }
    var isKnown = false
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0D, bytes[end] != 0x0A { end += 1 }
      isKnown = parse(bytes.extracting(start..<end), titles) || isKnown
      start = end + 1
    }
    guard isKnown else { return nil }
  }

  private static let prefix = Array("x-audiocast-".utf8)

  private mutating func parse(_ line: Span<UInt8>, _ titles: TitleText) -> Bool {
    guard line.count > Self.prefix.count,
      Self.prefix.indices.allSatisfy({ Self.lowercased(line[$0]) == Self.prefix[$0] })
    else { return false }
    var colon = Self.prefix.count
    while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < line.count else { return false }
    let name = String(decoding: (Self.prefix.count..<colon).map { Self.lowercased(line[$0]) }, as: UTF8.self)
    let value = titles.text(line.extracting((colon + 1)..<line.count))
    switch name {
    case "udpseqnr": number = number ?? Int(value).flatMap { $0 >= 0 ? $0 : nil }
    case "streamtitle", "udpstreamtitle": title = title ?? (value.isEmpty ? nil : value)
    case "streamurl", "udpstreamurl": url = url ?? (value.isEmpty ? nil : value)
    case "streammsg", "streamlength", "udpstreammsg", "udpstreamlength": break
    default: return false
    }
    return true
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  var acknowledgement: [UInt8]? { number.map { Array("x-audiocast-ack: \($0) \r\n".utf8) } }
}

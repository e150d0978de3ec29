import Framing

/// What a server of Icecast 1.3 tells by UDP beside its stream: lines "x-audiocast-udp…: value", 1,023 bytes at most.
struct AudioCastDatagram: Equatable {
  /// The datagram's number, which is acknowledged.
  var number: Int?
  /// Nil where it tells none.
  var title: String?
  /// What belongs to the title on the web.
  var url: String?

  /// The longest that is read, in bytes.
  static let longest = 1_023

  /// Reads a datagram; nil where nothing in it is AudioCast's.
  init?(_ bytes: Span<UInt8>, _ titles: TitleText) {
    guard bytes.count <= Self.longest else { return nil }
    var isKnown = false
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0D, bytes[end] != 0x0A { end += 1 }
      isKnown = take(bytes.extracting(start..<end), titles) || isKnown
      start = end + 1
    }
    guard isKnown else { return nil }
  }

  private static let prefix = Array("x-audiocast-".utf8)

  private mutating func take(_ line: Span<UInt8>, _ titles: TitleText) -> Bool {
    guard line.count > Self.prefix.count, Self.prefix.indices.allSatisfy({ Self.small(line[$0]) == Self.prefix[$0] })
    else { return false }
    var colon = Self.prefix.count
    while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < line.count else { return false }
    let name = String(decoding: (Self.prefix.count..<colon).map { Self.small(line[$0]) }, as: UTF8.self)
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

  private static func small(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// What is sent back; nil where the datagram has no number.
  var acknowledgement: [UInt8]? { number.map { Array("x-audiocast-ack: \($0) \r\n".utf8) } }
}

/// The HLS tags that Bakelite reads (RFC 8216, 4.3).
enum HlsTag: String {
  case information = "EXTINF"
  case date = "EXT-X-PROGRAM-DATE-TIME"
  case byteRange = "EXT-X-BYTERANGE"
  case discontinuity = "EXT-X-DISCONTINUITY"
  case gap = "EXT-X-GAP"
  case key = "EXT-X-KEY"
  case map = "EXT-X-MAP"
  case dateRange = "EXT-X-DATERANGE"
  // Ad breaks in common use, which no standard defines.
  case cueOut = "EXT-X-CUE-OUT"
  case cueContinued = "EXT-X-CUE-OUT-CONT"
  case cueIn = "EXT-X-CUE-IN"

  case target = "EXT-X-TARGETDURATION"
  case sequence = "EXT-X-MEDIA-SEQUENCE"
  case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
  case end = "EXT-X-ENDLIST"
  case type = "EXT-X-PLAYLIST-TYPE"
  case serverControl = "EXT-X-SERVER-CONTROL"

  case version = "EXT-X-VERSION"
  case start = "EXT-X-START"
  case define = "EXT-X-DEFINE"

  case variant = "EXT-X-STREAM-INF"
  case rendition = "EXT-X-MEDIA"
  // Tags that only reveal the kind of playlist.
  case iFrameVariant = "EXT-X-I-FRAME-STREAM-INF"
  case sessionData = "EXT-X-SESSION-DATA"
  case sessionKey = "EXT-X-SESSION-KEY"
  case steering = "EXT-X-CONTENT-STEERING"

  enum Home {
    case media, master, either
  }

  var home: Home {
    switch self {
    case .version, .start, .define: .either
    case .variant, .rendition, .iFrameVariant, .sessionData, .sessionKey, .steering: .master
    default: .media
    }
  }

  /// Returns the tag of a line that begins with "#EXT", and the text after its colon. Ignores case; nil if unknown.
  static func read(_ line: ArraySlice<UInt8>) -> (tag: HlsTag, value: ArraySlice<UInt8>)? {
    let colon = line.prefix(maxNameLength).firstIndex(of: UInt8(ascii: ":"))
    guard let end = colon ?? (line.count <= maxNameLength ? line.endIndex : nil) else { return nil }
    let name = String(decoding: line[..<end].dropFirst().trimmed, as: UTF8.self)
    guard let tag = HlsTag(rawValue: name) ?? HlsTag(rawValue: name.uppercased()) else { return nil }
    return (tag, line[end...].dropFirst().trimmed)
  }

  private static let maxNameLength = 40
}

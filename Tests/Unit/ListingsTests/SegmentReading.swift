import Foundation
@testable import Listings
import Units

/// Reads HLS playlists from text or bytes.
enum SegmentReading {
  static func playlist(_ bytes: [UInt8], piece: Int = .max) throws(HlsPlaylistError) -> HlsPlaylist {
    var reader = HlsPlaylistReader()
    var start = 0
    while start < bytes.count {
      let end = piece < bytes.count - start ? start + piece : bytes.count
      reader.append(bytes.span.extracting(start..<end))
      start = end
    }
    return try reader.finish()
  }

  static func playlist(_ text: String) throws(HlsPlaylistError) -> HlsPlaylist { try playlist(Array(text.utf8)) }

  /// The media playlist with these lines after "#EXTM3U"; nil for a master playlist.
  static func media(_ lines: String) throws(HlsPlaylistError) -> SegmentList? {
    guard case .media(let list) = try playlist("#EXTM3U\n" + lines) else { return nil }
    return list
  }

  /// The only segment after these tags.
  static func segment(_ tags: String) throws(HlsPlaylistError) -> MediaSegment? {
    try media(tags + "\n#EXTINF:1,\nx")?.segments.last
  }

  /// The master playlist with these lines after "#EXTM3U"; nil for a media playlist.
  static func master(_ lines: String) throws(HlsPlaylistError) -> VariantList? {
    guard case .master(let list) = try playlist("#EXTM3U\n" + lines) else { return nil }
    return list
  }

  /// The folder of this machine's corpora.
  static let corpora = (ProcessInfo.processInfo.environment["BAKELITE_SHARED"] ?? "../shared") + "/corpora/hls/"

  /// A file of the corpora; nil if it does not exist.
  static func file(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: corpora + path).map { Array($0) }
  }

  /// The named strings in globocom's Python file.
  static let globocom: [String: String] = {
    let text = file("globocom-m3u8/playlists.py").map { String(decoding: $0, as: UTF8.self) } ?? ""
    let parts = text.components(separatedBy: "\"\"\"")
    var found: [String: String] = [:]
    for index in stride(from: 1, to: parts.count - 1, by: 2) {
      let words = parts[index - 1].split(separator: "\n").last?.split(separator: " ") ?? []
      guard let name = words.first else { continue }
      let isRaw = words.last == "r"
      found[String(name)] = isRaw ? parts[index] : parts[index].replacingOccurrences(of: "\\\n", with: "")
    }
    return found
  }()
}

extension SegmentList {
  /// The further facts of a playlist as short text.
  var traits: String {
    var words: [String] = []
    if version != 1 { words.append("v\(version)") }
    if let form { words.append(form == .complete ? "vod" : "event") }
    if let start { words.append("start \(start.offset.seconds)" + (start.isPrecise ? " precise" : "")) }
    if let holdBack { words.append("back \(holdBack.seconds)") }
    if discontinuitySequence != 0 { words.append("disc \(discontinuitySequence)") }
    let counts = [
      ("breaks", segments.count(where: \.isDiscontinuous)), ("gaps", segments.count(where: \.isGap)),
      ("keys", segments.count { $0.key != nil }), ("drm", segments.count { $0.key?.isDrm == true }),
      ("ivs", segments.count { $0.key?.vector != nil }), ("maps", segments.count { $0.map != nil }),
      ("ranges", segments.count { $0.range != nil }), ("titles", segments.count { $0.title != nil }),
      ("dates", segments.count { $0.date != nil }), ("missing", missingCount),
    ]
    words += counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
    return words.joined(separator: " ")
  }
}

import Framing
import Json
import Listings
import Settings
import Units

/// The stations in a file of another player: JSON of Volumio, moOde, Radiotray-NG, radio-browser and KaRadio, CSV of
/// yoRadio, XML of Radiotray and Kodi.
struct ForeignList {
  /// A station of the file.
  struct Entry: Equatable {
    var name: String
    var url: String
    var directoryID: String?
  }

  private(set) var entries: [Entry] = []
  /// The names of entries without a usable address.
  private(set) var unread: [String] = []

  private static let maxDepth = 8

  /// Reads a file; nil for a file of another kind.
  init?(_ bytes: [UInt8]) {
    guard let first = bytes.first(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }) else { return nil }
    switch first {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      guard readJson(bytes) else { return nil }
    case UInt8(ascii: "<"):
      guard let list = try? PlaylistParser.bookmarks(of: bytes.span) else { return nil }
      entries = list.map { Entry(name: $0.title ?? "", url: $0.reference) }
    default:
      guard readCsv(String(decoding: bytes, as: UTF8.self)) else { return nil }
    }
    if entries.isEmpty { return nil }
  }

  /// Returns true if the first character begins a JSON list or object.
  static func looksLikeJson(_ bytes: [UInt8]) -> Bool {
    bytes.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }.map { "[{".utf8.contains($0) } ?? false
  }

  // MARK: JSON

  private mutating func readJson(_ bytes: [UInt8]) -> Bool {
    if let root = Self.json(bytes) {
      collect(root, depth: 0)
      return true
    }
    // KaRadio writes one object in each line.
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let values = lines.map { Self.json(Array($0)) }
    guard !values.isEmpty, values.allSatisfy({ $0 != nil }) else { return false }
    for case let value? in values { collect(value, depth: 0) }
    return true
  }

  private static func json(_ bytes: [UInt8]) -> JsonValue? {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    var limits = JsonValue.Limits()
    limits.values = 1 << 18
    return try? JsonValue(text.span, limits: limits)
  }

  /// Adds the stations of a value: an object with an address, or the objects in lists and other objects.
  private mutating func collect(_ value: JsonValue, depth: Int) {
    guard depth < Self.maxDepth, entries.count < StationList.maxCount else { return }
    if let elements = value.elements {
      for element in elements { collect(element, depth: depth + 1) }
    } else if let members = value.members {
      let texts = Dictionary(
        members.compactMap { member in member.value.string.map { (member.name.lowercased(), $0) } }
      ) {
        first, _ in first
      }
      // Volumio lists files and other services together with stations.
      if let service = texts["service"], service != "webradio" {
        unread.append(texts["name"] ?? texts["title"] ?? service)
      } else if let url = Self.address(texts, members), let name = texts["name"] ?? texts["title"] {
        entries.append(Entry(name: name, url: url, directoryID: texts["stationuuid"]))
      } else {
        let inner = members.map(\.value).filter { $0.elements != nil || $0.members != nil }
        if inner.isEmpty, let name = texts["name"] { unread.append(name) }
        for member in inner { collect(member, depth: depth + 1) }
      }
    }
  }

  /// The address in an object's texts. KaRadio divides it into host, path and port.
  private static func address(_ texts: [String: String], _ members: [(name: String, value: JsonValue)]) -> String? {
    let keys = ["url", "uri", "station", "url_resolved"]
    guard let url = keys.lazy.compactMap({ texts[$0] }).first(where: { !$0.isEmpty }) else { return nil }
    guard let file = texts["file"] else { return withScheme(url) }
    let member = members.first { $0.name.lowercased() == "port" }?.value
    let port = texts["port"] ?? member?.integer(in: 1...65_535).map { "\($0)" }
    return withScheme(url + (port.map { ":\($0)" } ?? "") + (file.hasPrefix("/") ? "" : "/") + file)
  }

  private static func withScheme(_ address: String) -> String {
    address.contains("://") ? address : "http://" + address
  }

  // MARK: CSV

  /// Reads yoRadio's lines: name, address and volume, separated by tabs.
  private mutating func readCsv(_ text: String) -> Bool {
    for line in text.split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 2 else {
        if !line.allSatisfy(\.isWhitespace) { unread.append(String(line)) }
        continue
      }
      let url = fields[1].trimmingSpaces
      guard url.contains("."), !url.contains(" ") else {
        unread.append(fields[0].trimmingSpaces)
        continue
      }
      entries.append(Entry(name: fields[0].trimmingSpaces, url: Self.withScheme(url)))
    }
    return unread.count <= entries.count
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String { String(StationAddress.trimmed(String(self))) }
}

import Glibc
import Settings
import System

struct TimeZoneCountry {
  /// Prefix of all paths; not empty only in tests.
  private let root: String

  private static let zones = "/usr/share/zoneinfo/"
  private static let maxTableByteCount = 128 << 10
  private static let maxNameByteCount = 256

  init(root: String = "") { self.root = root }

  /// Returns a zone's country code (ISO 3166-1, two capital letters); nil for a zone without a country, such as "UTC".
  /// An empty text is the machine's own zone.
  func code(of zone: String) -> String? {
    let name = zone.isEmpty ? machineZone : zone
    guard let name, !name.isEmpty, name.utf8.count <= Self.maxNameByteCount else { return nil }
    return named(name) ?? target(of: name).flatMap { named($0) }
  }

  private func named(_ zone: String) -> String? {
    // zone.tab has one row per country; a row of zone1970.tab may have several countries.
    for table in ["zone.tab", "zone1970.tab"] {
      if let code = Self.code(of: zone, in: text("\(Self.zones)\(table)", limit: Self.maxTableByteCount)) {
        return code
      }
    }
    return nil
  }

  /// The zone that another name links to, such as "Asia/Kolkata" for "Asia/Calcutta"; nil for other names.
  private func target(of zone: String) -> String? {
    guard let folder = resolvedPath(root + Self.zones), let path = resolvedPath("\(root)\(Self.zones)\(zone)") else {
      return nil
    }
    return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.utf8.count + 1)) : nil
  }

  /// Returns the first country in a zone's row. A row has fields separated by tabs: codes separated by commas,
  /// coordinates, zone.
  static func code(of zone: String, in table: [UInt8]) -> String? {
    for line in table.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      let fields = line.split(separator: UInt8(ascii: "\t"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[2].elementsEqual(zone.utf8) else { continue }
      let code = fields[0].prefix(2)
      let isCode = code.count == 2 && code.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      return isCode ? String(decoding: code, as: UTF8.self) : nil
    }
    return nil
  }

  private var machineZone: String? {
    var target = [CChar](repeating: 0, count: 1_024)
    let count = readlink("\(root)/etc/localtime", &target, target.count)
    let link = String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let folder = link.firstRange(of: "zoneinfo/") { return String(link[folder.upperBound...]) }
    let line = text("/etc/timezone", limit: 4_096).prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self)
  }

  private func text(_ path: String, limit: Int) -> [UInt8] { (try? SmallFile.read(root + path, limit: limit)) ?? [] }
}

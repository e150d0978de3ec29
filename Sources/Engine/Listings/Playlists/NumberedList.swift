/// Parses a PLS list, or the `[Reference]` form of ASX: lines `File1=`, `Title1=` and `Length1=` in any order and case.
///
/// Ignores sections and the number of entries. Sorts the entries by number. If a key repeats, uses its first valid
/// value.
struct NumberedList {
  private struct Fields {
    var reference: Reference?
    var title: String?
    var seconds: Int?
  }

  private var fields: [Int: Fields] = [:]

  init(_ text: ListingText) {
    for line in text.lines { parse(line) }
  }

  var entries: [ListEntry] {
    fields.sorted { $0.key < $1.key }.compactMap { _, fields in
      fields.reference.map { ListEntry($0, title: fields.title, seconds: fields.seconds) }
    }
  }

  private mutating func parse(_ line: Substring) {
    guard line.utf8.first != UInt8(ascii: ";"), line.utf8.first != UInt8(ascii: "#"),
      let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")),
      let (name, number) = Self.numbered(line[..<equals].trimmed)
    else { return }
    let value = line[line.utf8.index(after: equals)...]
    var entry = fields[number] ?? Fields()
    switch name {
    case "file", "ref": entry.reference = entry.reference ?? Reference(value)
    case "title": entry.title = entry.title ?? ListEntry.plainTitle(value)
    case "length": entry.seconds = entry.seconds ?? ListEntry.seconds(value)
    default: return
    }
    if fields[number] != nil || fields.count < PlaylistLimits.maxEntryCount { fields[number] = entry }
  }

  private static func numbered(_ key: Substring) -> (name: String, number: Int)? {
    let name = key.utf8.prefix { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
    guard let number = Int(key[name.endIndex...]) else { return nil }
    return (Substring(name).asciiLowercased, number)
  }
}

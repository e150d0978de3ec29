import Units

/// Reads one table of settings. The caller requests each key with its type and rule; the result is nil if the key is
/// missing or invalid. Faults and unrequested keys are added to the log.
final class TableReader {
  let log: ProblemLog
  let line: Int
  private let table: TomlTable
  /// The prefix of error messages and rules, such as "[audio] ".
  private let title: String
  private var known: [String] = []
  private var missing: [(key: String, example: String)] = []

  init(_ table: TomlTable, line: Int = 1, title: String = "", _ log: ProblemLog) {
    self.table = table
    self.line = line
    self.title = title
    self.log = log
  }

  var entries: [TomlEntry] { table.entries }

  func has(_ key: String) -> Bool { table[key] != nil }

  func line(of key: String) -> Int? { table[key]?.line }

  func entry(_ key: String, _ allowed: String) -> TomlEntry? {
    known.append(key)
    log.recordRule(title + key, allowed)
    return table[key]
  }

  /// Reports an invalid value. `rule`: words that follow the key, such as "must be …".
  func refuse(_ entry: TomlEntry, as key: String? = nil, _ rule: String) {
    let value = log.showsValues ? "is \(entry.value.words), and " : ""
    log.add(line: entry.line, "\(title)\((key ?? entry.key).showable(most: 60)) \(value)\(rule)")
  }

  func require(_ key: String, _ example: String) { if !has(key) { missing.append((key, example)) } }

  func complain(at keys: [String], _ problem: String) {
    log.add(line: keys.lazy.compactMap { self.table[$0]?.line }.first ?? line, title + problem)
  }

  /// Reads a value with `read`. If `read` returns nil, reports `refusal`, words that follow the key. `hasFallback`:
  /// true to replace an unusable text by the default, if the log allows it.
  private func value<Value>(
    _ key: String, _ allowed: String, hasFallback: Bool = false, _ refusal: (TomlValue) -> String,
    _ read: (TomlValue) -> Value?
  ) -> Value? {
    guard let entry = entry(key, allowed) else { return nil }
    if let value = read(entry.value) { return value }
    let rule = refusal(entry.value)
    if hasFallback, entry.value.text != nil, log.replace(title + key, line: entry.line, rule) { return nil }
    refuse(entry, rule)
    return nil
  }

  func text(_ key: String, _ rule: TextRule, hasFallback: Bool = false) -> String? {
    value(key, rule.allowed, hasFallback: hasFallback, rule.words) {
      $0.text.flatMap { rule.accepts($0) ? $0 : nil }
    }
  }

  /// Reads a path, or another text that the rule allows. Replaces "~" in a leading "~/" with the user's home folder.
  func path(_ key: String, _ rule: TextRule) -> String? {
    value(key, rule.allowed, rule.words) { $0.text.flatMap(TextRule.inHome).flatMap { rule.accepts($0) ? $0 : nil } }
  }

  func word<Word>(_ key: String, _: Word.Type, hasFallback: Bool = false) -> Word?
  where Word: RawRepresentable<String> & CaseIterable {
    let words = Word.allCases.map(\.rawValue).joined(last: "or")
    return value(key, words, hasFallback: hasFallback, { _ in "must be \(words)" }, { $0.text.flatMap(Word.init) })
  }

  func flag(_ key: String) -> Bool? {
    let allowed = "true or false"
    return value(key, allowed, { _ in "must be \(allowed)" }, { if case .flag(let flag) = $0 { flag } else { nil } })
  }

  func whole(_ key: String, _ range: ClosedRange<Int>, _ unit: String, isHex: Bool = false) -> Int? {
    func word(_ number: Int) -> String { isHex ? "0x" + String(number, radix: 16) : String(number) }
    let allowed = Self.between(word(range.lowerBound), word(range.upperBound), unit)
    return value(key, allowed, { _ in "must be a whole number \(allowed)" }, { $0.whole(in: range) })
  }

  func number(_ key: String, _ range: ClosedRange<Double>, _ unit: String) -> Double? {
    let allowed = Self.between(range.lowerBound.plain, range.upperBound.plain, unit)
    return value(key, allowed, { _ in "must lie \(allowed)" }) { value in
      switch value {
      case .integer(let integer) where range.contains(Double(integer)): Double(integer)
      case .number(let number) where range.contains(number): number
      default: nil
      }
    }
  }

  func texts(_ key: String, _ rule: TextRule, most: Int) -> [String]? {
    list(key, of: rule.allowed, most: most) { $0.value.text.flatMap { rule.accepts($0) ? $0 : nil } }
  }

  func wholes(_ key: String, _ range: ClosedRange<Int>, most: Int) -> [Int]? {
    list(key, of: "a whole number of \(range.lowerBound) to \(range.upperBound)", most: most) {
      $0.value.whole(in: range)
    }
  }

  /// Reads a list, and each element with `read`. If `read` returns nil, the element is reported as invalid.
  func list<Element>(
    _ key: String, of each: String, most: Int, _ read: (TomlEntry) -> Element?
  ) -> [Element]? {
    let allowed = "a list of up to \(most), each \(each)"
    guard let entry = entry(key, allowed) else { return nil }
    guard case .array(let elements) = entry.value, elements.count <= most else {
      refuse(entry, "must be \(allowed)")
      return nil
    }
    return elements.compactMap { element in
      if let element = read(element) { return element }
      refuse(element, as: "an element of \(key)", "must be \(each)")
      return nil
    }
  }

  /// Reads up to eight addresses to listen on, with ports from `fromPort` on: a text with commas or blanks, or a list
  /// of texts. `such`: an example.
  func addresses(_ key: String, fromPort: UInt16, such example: String) -> [ListenAddress]? {
    let port = fromPort > 1 ? "a port from \(fromPort) on" : "a port"
    let rule = "an address with \(port), such as \(example.quoted), a list of up to 8 such addresses, or \"\""
    return value(key, rule, { _ in "must be \(rule)" }) { value in
      let texts: [String?]
      switch value {
      case .text(let text): texts = ListenAddress.parts(of: text)
      case .array(let elements): texts = elements.map(\.value.text)
      default: return nil
      }
      let addresses = texts.compactMap { $0.flatMap(ListenAddress.init) }.filter { $0.port >= fromPort }
      return addresses.count == texts.count && texts.count <= 8 ? addresses : nil
    }
  }

  func table(_ key: String) -> TableReader? {
    guard let entry = entry(key, "a table") else { return nil }
    return reader(of: entry, title: "[\(key)] ")
  }

  func reader(of entry: TomlEntry, title: String) -> TableReader? {
    if case .table(let table) = entry.value { return TableReader(table, line: entry.line, title: title, log) }
    refuse(entry, "must be a table")
    return nil
  }

  /// Ends the reading. Reports unknown keys and missing keys. A misspelt key is reported once, as unknown.
  func close() {
    for entry in table.entries where !log.isFull && !known.contains(entry.key) {
      let near = SpellingSuggestion.nearest(to: entry.key, of: known)
      missing.removeAll { $0.key == near }
      let hint = near.map { "did you mean \($0)?" } ?? "known are \(known.joined(last: "and"))"
      let place = title.isEmpty ? "here" : "in \(title.dropLast(title.hasSuffix(": ") ? 2 : 1))"
      let key = log.showsValues || TextRule.isName(entry.key) ? "key \(entry.key.quoted)" : "such key"
      log.add(line: entry.line, "there is no \(key) \(place); \(hint)")
    }
    for (key, example) in missing { log.add(line: line, "\(title)\(key) is missing; write \(key) = \(example)") }
  }

  private static func between(_ low: String, _ high: String, _ unit: String) -> String {
    "between \(low) and \(high)\(unit.isEmpty ? "" : " " + unit)"
  }
}

/// Reads one table of settings: each key is asked for by its type and what it may be, and whatever is wrong, or was not
/// asked for, goes to the log. A value is nil where its key is missing or wrong.
final class TableReader {
  let log: ProblemLog
  /// The line of the table's header.
  let line: Int
  private let table: TomlTable
  /// Such as "[audio] ", for sentences and rules.
  private let title: String
  private var known: [String] = []
  private var missing: [(key: String, example: String)] = []

  init(_ table: TomlTable, line: Int = 1, title: String = "", _ log: ProblemLog) {
    self.table = table
    self.line = line
    self.title = title
    self.log = log
  }

  /// The keys as they come.
  var entries: [TomlEntry] { table.entries }

  /// Whether a key is there, be it right or wrong.
  func has(_ key: String) -> Bool { table[key] != nil }

  /// The line of a key; nil where it is missing.
  func line(of key: String) -> Int? { table[key]?.line }

  /// The entry of a key, whatever it is.
  func entry(_ key: String, _ allowed: String) -> TomlEntry? {
    known.append(key)
    log.note(title + key, allowed)
    return table[key]
  }

  /// Says that a value is not what it must be: "must …".
  func refuse(_ entry: TomlEntry, as key: String? = nil, _ rule: String) {
    let value = log.showsValues ? "is \(entry.value.words), and " : ""
    log.add(line: entry.line, "\(title)\((key ?? entry.key).showable(most: 60)) \(value)\(rule)")
  }

  /// Says that a key has to be there.
  func require(_ key: String, _ example: String) { if !has(key) { missing.append((key, example)) } }

  /// Says what is wrong with values together, at the first of their keys that is there.
  func complain(at keys: [String], _ problem: String) {
    log.add(line: keys.lazy.compactMap { self.table[$0]?.line }.first ?? line, title + problem)
  }

  /// Text.
  func text(_ key: String, _ rule: TextRule) -> String? {
    guard let entry = entry(key, rule.allowed) else { return nil }
    if case .text(let text) = entry.value, rule.holds(text) { return text }
    refuse(entry, rule.words(for: entry.value))
    return nil
  }

  /// A path, or what else the rule allows; "~/" at its begin is the user's home folder.
  func path(_ key: String, _ rule: TextRule) -> String? {
    guard let entry = entry(key, rule.allowed) else { return nil }
    if case .text(let text) = entry.value, let path = TextRule.inHome(text), rule.holds(path) { return path }
    refuse(entry, rule.words(for: entry.value))
    return nil
  }

  /// One of a few words.
  func word<Word>(_ key: String, _: Word.Type) -> Word?
  where Word: RawRepresentable<String> & CaseIterable {
    let words = Word.allCases.map(\.rawValue)
    guard let entry = entry(key, words.joined(last: "or")) else { return nil }
    if case .text(let text) = entry.value, let word = Word(rawValue: text) { return word }
    refuse(entry, "must be \(words.joined(last: "or"))")
    return nil
  }

  /// True or false.
  func flag(_ key: String) -> Bool? {
    guard let entry = entry(key, "true or false") else { return nil }
    if case .flag(let flag) = entry.value { return flag }
    refuse(entry, "must be true or false")
    return nil
  }

  /// A whole number.
  func whole(_ key: String, _ range: ClosedRange<Int>, _ unit: String, isHex: Bool = false) -> Int? {
    func word(_ number: Int) -> String { isHex ? "0x" + String(number, radix: 16) : String(number) }
    let allowed = Self.between(word(range.lowerBound), word(range.upperBound), unit)
    guard let entry = entry(key, allowed) else { return nil }
    if case .integer(let integer) = entry.value, let whole = Int(exactly: integer), range.contains(whole) {
      return whole
    }
    refuse(entry, "must be a whole number \(allowed)")
    return nil
  }

  /// A number, whole or not.
  func number(_ key: String, _ range: ClosedRange<Double>, _ unit: String) -> Double? {
    let allowed = Self.between(range.lowerBound.plain, range.upperBound.plain, unit)
    guard let entry = entry(key, allowed) else { return nil }
    switch entry.value {
    case .integer(let integer) where range.contains(Double(integer)): return Double(integer)
    case .number(let number) where range.contains(number): return number
    default:
      refuse(entry, "must lie \(allowed)")
      return nil
    }
  }

  /// A list of texts.
  func texts(_ key: String, _ rule: TextRule, most: Int) -> [String]? {
    list(key, of: rule.allowed, most: most) { element in
      if case .text(let text) = element.value, rule.holds(text) { text } else { nil }
    }
  }

  /// A list of whole numbers.
  func wholes(_ key: String, _ range: ClosedRange<Int>, most: Int) -> [Int]? {
    list(key, of: "a whole number of \(range.lowerBound) to \(range.upperBound)", most: most) { element in
      guard case .integer(let integer) = element.value, let whole = Int(exactly: integer) else { return nil }
      return range.contains(whole) ? whole : nil
    }
  }

  /// A list of what `read` makes of each element; those that it makes nothing of are refused.
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

  /// The table below a key; an empty one where it is missing.
  func table(_ key: String) -> TableReader? {
    guard let entry = entry(key, "a table") else { return nil }
    return reader(of: entry, title: "[\(key)] ")
  }

  /// A reader of an entry that has to be a table.
  func reader(of entry: TomlEntry, title: String) -> TableReader? {
    if case .table(let table) = entry.value { return TableReader(table, line: entry.line, title: title, log) }
    refuse(entry, "must be a table")
    return nil
  }

  /// Ends the reading: what was not asked for is unknown, and a key that has to be there is missing unless it is
  /// misspelt.
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

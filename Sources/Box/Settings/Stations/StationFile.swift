/// The text of a station file. Changes preserve comments, blank lines, order and notation. The text of a station is its
/// `[[station]]`, its keys, and the comments directly above and below. The lines between stations stay in place if
/// stations are added, removed or moved.
public struct StationFile: Sendable {
  /// The current stations.
  public private(set) var list: StationList
  private let file: String
  private let lineEnd: [UInt8]
  private var stations: [[Line]] = []
  /// The lines before, between and after the stations. The number of gaps is the number of stations plus one.
  private var gaps: [[Line]] = []

  private typealias Line = ArraySlice<UInt8>

  /// Parses a text. `file`: its name in error messages. Throws if the TOML is invalid, or if a station does not start
  /// with a line `[[station]]`.
  public init(_ bytes: [UInt8], file: String) throws(SettingsError) {
    let document = try TomlDocument(bytes, file: file)
    self.file = file
    list = StationList(document)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    lineEnd = lines.first?.last == UInt8(ascii: "\r") ? [UInt8(ascii: "\r")] : []
    guard case .array(let tables)? = document.root["station"]?.value else {
      if let entry = document.root["station"] { throw Self.notInBrackets(file, entry.line) }
      gaps = [lines]
      return
    }
    try cut(lines, tables)
  }

  /// Number of stations, including unusable ones.
  public var count: Int { stations.count }

  /// Returns the number of a station. `text`: a number or a name, typed by a person. Throws if no station matches, or
  /// if the number is also the name of another station.
  public func number(of text: String) throws(SettingsError) -> Int {
    let named = list.entries.first { $0.station.name.lowercased() == text.lowercased() }?.number
    let numbered = Int(text).flatMap { $0 >= 1 && $0 <= count ? $0 : nil }
    if let named, let numbered, named != numbered {
      throw SettingsError(file, "station \(named) is called \(text.quoted), so that number is not clear; say \(named)")
    }
    if let number = named ?? numbered { return number }
    let near = SpellingSuggestion.nearest(to: text, of: list.entries.map(\.station.name)).map {
      "did you mean \($0.quoted)?"
    }
    throw SettingsError(file, "there is no station \(text.quoted); \(near ?? "they are 1 to \(count)")")
  }

  /// Returns the number of the station with a name. Throws if no station has exactly this name.
  public func number(named name: String) throws(SettingsError) -> Int {
    if let entry = list.entries.first(where: { $0.station.name == name }) { return entry.number }
    throw SettingsError(file, "there is no station \(name.quoted)")
  }

  /// The whole text; the last line ends with a line feed.
  public var bytes: [UInt8] {
    var lines = gaps[0]
    for (station, gap) in zip(stations, gaps.dropFirst()) { lines += station + gap }
    if let last = lines.last, !last.isEmpty { lines.append([]) }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Inserts stations. `number`: the number of the first new station; nil to append. Throws if a name is in use or a
  /// station is invalid. Also throws if the file is full or the number is out of range.
  public mutating func insert(_ new: [StationSettings], at number: Int? = nil) throws(SettingsError) {
    let number = number ?? count + 1
    guard (1...count + 1).contains(number) else {
      throw SettingsError(file, "there is no place \(number) for a station; its places are 1 to \(count + 1)")
    }
    guard count + new.count <= StationList.maxCount else {
      throw SettingsError(file, "it holds \(count) stations, and \(StationList.maxCount) at most")
    }
    var names = Set(list.entries.map(\.station.name))
    for station in new {
      if let problem = station.problem { throw SettingsError(file, problem) }
      guard names.insert(station.name).inserted else {
        throw SettingsError(file, "there is already a station \(station.name.quoted); choose another name")
      }
    }
    try change { file, slots in
      slots.insert(contentsOf: new, at: number - 1)
      for (offset, station) in new.enumerated() { file.place(StationText.table(station), at: number - 1 + offset) }
    }
  }

  /// Removes a station with its comments. Throws if the station does not exist.
  public mutating func remove(_ number: Int) throws(SettingsError) {
    try check(number)
    try change { file, slots in
      slots.remove(at: number - 1)
      file.stations.remove(at: number - 1)
      var after = file.gaps.remove(at: number)[...]
      let before = file.gaps[number - 1].last
      if before.map(Self.isBlank) ?? true, after.first.map(Self.isBlank) ?? false { after.removeFirst() }
      file.gaps[number - 1] += after
    }
  }

  /// Moves a station to another number. The stations in between move by one place. Throws if one of the numbers does
  /// not exist.
  public mutating func move(_ number: Int, to place: Int) throws(SettingsError) {
    try check(number)
    try check(place)
    try change { file, slots in
      slots.insert(slots.remove(at: number - 1), at: place - 1)
      file.stations.insert(file.stations.remove(at: number - 1), at: place - 1)
    }
  }

  /// The stations in order of their numbers. An unusable station is nil.
  private var slots: [StationSettings?] {
    var slots = [StationSettings?](repeating: nil, count: count)
    for entry in list.entries { slots[entry.number - 1] = entry.station }
    return slots
  }

  private func check(_ number: Int) throws(SettingsError) {
    guard (1...max(1, count)).contains(number), count > 0 else {
      let there = count == 0 ? "the file has no stations" : "they are 1 to \(count)"
      throw SettingsError(file, "there is no station \(number); \(there)")
    }
  }

  /// Edits a copy of the text and a list of the expected stations, then parses the new text. Throws if the parsed
  /// stations differ from the expected stations.
  private mutating func change(_ body: (inout StationFile, inout [StationSettings?]) -> Void) throws(SettingsError) {
    var (copy, expected) = (self, slots)
    body(&copy, &expected)
    let changed = try StationFile(copy.bytes, file: file)
    let isSame = zip(changed.slots, expected).allSatisfy { $1 == nil || $0 == $1 }
    guard changed.count == expected.count, isSame else {
      throw SettingsError(file, "it is written in a way that this change would break; change it by hand")
    }
    self = changed
  }

  private mutating func place(_ text: String, at index: Int) {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Array($0) + lineEnd }.map { $0[...] }
    if stations.isEmpty {
      if let last = gaps[0].last, !Self.isBlank(last) { gaps[0].append(lineEnd[...]) }
      if gaps[0].count == 1, gaps[0][0].isEmpty { gaps[0] = [] }
      gaps.append([[]])
    } else {
      gaps.insert([lineEnd[...]], at: index == stations.count ? index : index + 1)
    }
    stations.insert(lines, at: index)
  }
}

// MARK: - Splitting the text

extension StationFile {
  private static func notInBrackets(_ file: String, _ line: Int) -> SettingsError {
    SettingsError(
      file, line: line, "stations are changed only where each begins with a line [[station]]; rewrite it so")
  }

  private mutating func cut(_ lines: [Line], _ tables: [TomlEntry]) throws(SettingsError) {
    var heads: [Int] = []
    var lasts: [Int] = []
    for table in tables {
      let head = table.line - 1
      guard case .table(let content) = table.value, lines.indices.contains(head), head > lasts.last ?? -1,
        StationText.isHeader(head == 0 ? lines[0].drop { $0 > 0x7F } : lines[head])
      else { throw Self.notInBrackets(file, table.line) }
      heads.append(head)
      lasts.append(min(lines.count, content.entries.map(\.lastLine).max() ?? table.line) - 1)
    }
    var end = 0
    for index in heads.indices {
      let start = Self.top(of: heads[index], above: index == 0 ? -1 : lasts[index - 1], lines)
      gaps.append(Array(lines[end..<start]))
      let next = index + 1 < heads.count ? Self.top(of: heads[index + 1], above: lasts[index], lines) : lines.count
      end = max(lasts[index], heads[index]) + 1
      while end < next, Self.isComment(lines[end]) { end += 1 }
      stations.append(Array(lines[start..<end]))
    }
    gaps.append(Array(lines[end...]))
  }

  /// Returns the index of the first comment line directly above line `head`; `head` without such lines or if they start
  /// the file.
  private static func top(of head: Int, above: Int, _ lines: [Line]) -> Int {
    var top = head
    while top - 1 > above, isComment(lines[top - 1]) { top -= 1 }
    return top == 0 ? head : top
  }

  private static func isComment(_ line: Line) -> Bool { line.first { $0 > 0x20 } == UInt8(ascii: "#") }

  private static func isBlank(_ line: Line) -> Bool { line.allSatisfy { $0 <= 0x20 } }
}

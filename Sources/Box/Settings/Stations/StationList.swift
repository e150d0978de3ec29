/// The usable stations in a file, and the faults in the file.
public struct StationList: Sendable {
  /// A station and its place in the file.
  public struct Entry: Equatable, Sendable {
    /// The station's number in the file, from 1. Unusable stations also count.
    public let number: Int
    /// The line of `[[station]]`.
    public let line: Int
    /// The station.
    public let station: StationSettings
  }

  /// Maximum number of stations in a file; later ones are ignored.
  public static let maxCount = 1_000

  /// The usable stations in the file's order.
  public private(set) var entries: [Entry] = []
  /// All faults, in order of line.
  public private(set) var problems: [SettingsError] = []
  /// The faults that cost only a part of a station; also in `problems`.
  private(set) var leftOut: [SettingsError] = []
  /// True if the file as a whole is valid TOML. Otherwise the file may be incomplete.
  public let isWhole: Bool

  /// Returns the station with a name, upper or lower case, or with a number. Returns nil if no station matches.
  public func entry(_ text: String) -> Entry? {
    let name = text.lowercased()
    return entries.first { $0.station.name.lowercased() == name } ?? entries.first { String($0.number) == text }
  }

  init(entries: [Entry] = [], problems: [SettingsError] = [], leftOut: [SettingsError] = []) {
    isWhole = false
    self.entries = entries
    self.problems = problems
    self.leftOut = leftOut
  }

  init(_ document: TomlDocument, _ secrets: SecretCheck = .none) {
    self.init(document.root, file: document.file, secrets)
  }

  init(_ table: TomlTable, file: String, _ secrets: SecretCheck = .none) {
    isWhole = true
    let log = ProblemLog(file, secrets: secrets)
    let root = TableReader(table, log)
    if let list = root.entry("station", "a list of tables") {
      if case .array(let elements) = list.value {
        for (index, element) in elements.enumerated() { readEntry(element, number: index + 1, log) }
      } else {
        log.add(line: list.line, "a station begins with the line [[station]], in double brackets")
      }
    }
    root.close()
    (problems, leftOut) = (log.all, log.leftOut)
  }

  private mutating func readEntry(_ element: TomlEntry, number: Int, _ log: ProblemLog) {
    guard number <= Self.maxCount else {
      if number == Self.maxCount + 1 { log.add(line: element.line, "a list holds \(Self.maxCount) stations at most") }
      return
    }
    guard case .table(let table) = element.value else {
      return log.add(line: element.line, "a station begins with the line [[station]], in double brackets")
    }
    guard let station = StationSettings(TableReader(table, line: element.line, log)) else { return }
    if let twin = entries.first(where: { $0.station.name == station.name }) {
      let line = table["name"]?.line ?? element.line
      return log.add(
        line: line, "name is that of the station of line \(twin.line) too; give it another")
    }
    entries.append(Entry(number: number, line: element.line, station: station))
  }
}

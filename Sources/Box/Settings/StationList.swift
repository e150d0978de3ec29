/// The stations of a file, as many as can be read, and what is wrong with the others.
public struct StationList: Sendable {
  /// A station and where it stands.
  public struct Entry: Equatable, Sendable {
    /// Its place among all stations of the file, from 1, those counted that cannot be used.
    public let number: Int
    /// The line of its `[[station]]`.
    public let line: Int
    /// The station.
    public let station: StationSettings
  }

  /// The most stations of a file; those after are left out.
  public static let most = 1_000

  /// The stations that can be used, in the file's order.
  public private(set) var entries: [Entry] = []
  /// All that is wrong, in order of line.
  public private(set) var problems: [SettingsError] = []
  /// Whether the file as a whole could be read, though stations of it may be wrong. Else it may be half written.
  public let isWhole: Bool

  /// Reads a file; what is wrong with one station does not lose the others, nor does a line that is no TOML.
  public static func load(_ path: String) -> StationList {
    do throws(SettingsError) {
      return read(try SmallFile.read(path, limit: TomlDocument.byteLimit), file: path)
    } catch {
      return StationList(problems: [error])
    }
  }

  /// The same from a file's bytes; `file` is its name in sentences.
  public static func read(_ bytes: [UInt8], file: String) -> StationList {
    do throws(SettingsError) {
      return StationList(try TomlDocument(bytes, file: file))
    } catch {
      return StationSalvage(bytes, file: file).list(whole: error)
    }
  }

  /// The station that a person means: its name in any case, or its number; nil where there is none.
  public func entry(_ text: String) -> Entry? {
    let name = text.lowercased()
    return entries.first { $0.station.name.lowercased() == name } ?? entries.first { String($0.number) == text }
  }

  init(entries: [Entry] = [], problems: [SettingsError] = []) {
    isWhole = false
    self.entries = entries
    self.problems = problems
  }

  /// The stations of a document.
  init(_ document: TomlDocument) { self.init(document.root, file: document.file) }

  /// The stations of a document's outermost table.
  init(_ table: TomlTable, file: String) {
    isWhole = true
    let log = ProblemLog(file)
    let root = TableReader(table, log)
    if let list = root.entry("station", "a list of tables") {
      if case .array(let elements) = list.value {
        for (index, element) in elements.enumerated() { take(element, number: index + 1, log) }
      } else {
        log.add(line: list.line, "a station begins with the line [[station]], in double brackets")
      }
    }
    root.close()
    problems = log.all
  }

  private mutating func take(_ element: TomlEntry, number: Int, _ log: ProblemLog) {
    guard number <= Self.most else {
      if number == Self.most + 1 { log.add(line: element.line, "a list holds \(Self.most) stations at most") }
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

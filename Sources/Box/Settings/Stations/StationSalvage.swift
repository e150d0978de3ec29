/// Reads a station file with TOML faults, one station at a time.
struct StationSalvage {
  private let lines: [[UInt8]]
  private let file: String

  init(_ bytes: [UInt8], file: String) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    self.file = file
  }

  /// Returns the stations that are valid if parsed alone. `error`: the fault of the whole file.
  func list(whole error: SettingsError) -> StationList {
    let starts = lines.indices.filter { StationText.isHeader(lines[$0]) }.prefix(StationList.maxCount)
    guard !starts.isEmpty, lines.reduce(0, { $0 + $1.count + 1 }) <= TomlDocument.byteLimit + 1 else {
      return StationList(problems: [error])
    }
    var entries: [StationList.Entry] = []
    let log = ProblemLog(file)
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : lines.count
      let found = read(start..<end)
      for problem in found.problems { log.add(problem) }
      guard let station = found.station else { continue }
      if entries.contains(where: { $0.station.name == station.name }) {
        log.add(line: start + 1, "a station of this name appears a second time here")
      } else {
        entries.append(StationList.Entry(number: index + 1, line: start + 1, station: station))
      }
    }
    // If no station has a fault, the fault is before the first station, so the whole file's error is reported.
    return StationList(entries: entries, problems: log.count == 0 ? [error] : log.all)
  }

  /// Reads one station. Line numbers in errors count from the start of the file.
  private func read(_ range: Range<Int>) -> (station: StationSettings?, problems: [SettingsError]) {
    let list: StationList
    do throws(SettingsError) {
      list = StationList(try TomlDocument(Array(lines[range].joined(separator: [UInt8(ascii: "\n")])), file: file))
    } catch {
      return (nil, [moved(error, by: range.lowerBound)])
    }
    return (list.entries.first?.station, list.problems.map { moved($0, by: range.lowerBound) })
  }

  private func moved(_ error: SettingsError, by lines: Int) -> SettingsError {
    SettingsError(file, line: error.line.map { $0 + lines }, column: error.column, error.problem)
  }
}

/// Reads a station file with TOML faults, one station at a time.
struct StationSalvage {
  private let lines: [[UInt8]]
  private let file: String
  private let secrets: SecretCheck

  init(_ bytes: [UInt8], file: String, _ secrets: SecretCheck = .none) {
    self.secrets = secrets
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
      for problem in found.problems {
        if found.leftOut.contains(problem) { log.leaveOut(problem) } else { log.add(problem) }
      }
      guard let station = found.station else { continue }
      if entries.contains(where: { $0.station.name == station.name }) {
        log.add(line: start + 1, "a station of this name appears a second time here")
      } else {
        entries.append(StationList.Entry(number: index + 1, line: start + 1, station: station))
      }
    }
    // If no station has a fault, the fault is before the first station, so the whole file's error is reported.
    let problems = log.count == 0 ? [error] + log.all : log.all
    return StationList(entries: entries, problems: problems, leftOut: log.leftOut)
  }

  /// Reads one station. Line numbers in errors count from the start of the file.
  private func read(
    _ range: Range<Int>
  ) -> (station: StationSettings?, problems: [SettingsError], leftOut: [SettingsError]) {
    let list: StationList
    do throws(SettingsError) {
      let text = Array(lines[range].joined(separator: [UInt8(ascii: "\n")]))
      list = StationList(try TomlDocument(text, file: file), secrets)
    } catch {
      return (nil, [moved(error, by: range.lowerBound)], [])
    }
    let moved = { (errors: [SettingsError]) in errors.map { self.moved($0, by: range.lowerBound) } }
    return (list.entries.first?.station, moved(list.problems), moved(list.leftOut))
  }

  private func moved(_ error: SettingsError, by lines: Int) -> SettingsError {
    SettingsError(file, line: error.line.map { $0 + lines }, column: error.column, error.problem)
  }
}

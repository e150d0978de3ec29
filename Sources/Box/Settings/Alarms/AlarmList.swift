import Alarms
import Units

/// The usable alarms in a file, and the faults of the others.
struct AlarmList {
  /// Maximum number of alarms.
  static let maxCount = 100

  private(set) var alarms: [Alarm] = []
  private(set) var problems: [SettingsError] = []

  /// Reads `[[alarm]]`; a faulty alarm is left out.
  init(_ table: TomlTable, file: String) {
    guard let entry = table["alarm"] else { return }
    let log = ProblemLog(file)
    if case .array(let elements) = entry.value, elements.count <= Self.maxCount {
      for element in elements { read(element, log) }
    } else {
      log.add(line: entry.line, "an alarm begins with the line [[alarm]]; there are \(Self.maxCount) at most")
    }
    problems = log.all
  }

  private mutating func read(_ element: TomlEntry, _ log: ProblemLog) {
    guard case .table(let table) = element.value else {
      return log.add(line: element.line, "an alarm begins with the line [[alarm]], in double brackets")
    }
    let count = log.count
    let alarm = Alarm(TableReader(table, line: element.line, title: "[[alarm]] ", log))
    if let alarm, log.count == count { alarms.append(alarm) }
  }
}

extension Alarm {
  /// Reads an alarm; nil if a required value is missing or invalid. The reader's log has the faults.
  init?(_ table: TableReader) {
    let minute = table.text("time", .timeOfDay).flatMap(Self.minute)
    let days = table.list("days", of: Weekdays.names.joined(last: "or"), most: 7) { entry in
      entry.value.text.flatMap { Weekdays.names.contains($0) ? $0 : nil }
    }
    let date = table.text("date", .date).flatMap { CalendarDay(iso: $0) }
    let source = table.text("station", .line)
    self.init(minute: minute ?? 0, .weekly(days.flatMap { Weekdays(names: $0) } ?? []), source: source ?? "")
    if let date { repetition = .once(date) }
    volume = table.whole("volume", 1...100, "%") ?? volume
    riseSeconds = table.whole("rise_s", 0...600, "s") ?? riseSeconds
    minutes = table.whole("minutes", 1...240, "min") ?? minutes
    isOn = table.flag("on") ?? isOn
    skipped = table.text("skip", .date).flatMap { CalendarDay(iso: $0) }
    restsOnHolidays = table.flag("holidays").map { !$0 } ?? restsOnHolidays
    table.require("time", "\"06:30\"")
    table.require("station", "\"NAME\"")
    if !table.has("days"), !table.has("date") { table.require("days", "[\"mon\", \"tue\"]") }
    table.close()
    if repetition == .weekly([]) { table.complain(at: ["days"], "days is empty; name at least one day") }
    guard minute != nil, source != nil, repetition != .weekly([]) else { return nil }
  }

  /// The alarm in TOML: `[[alarm]]` and its keys.
  var toml: String {
    var lines = ["[[alarm]]", "time = \"\(timeText)\""]
    switch repetition {
    case .once(let day): lines.append("date = \"\(day.iso)\"")
    case .weekly(let days): lines.append("days = [\(days.names.map { "\"\($0)\"" }.joined(separator: ", "))]")
    }
    lines += ["station = \(StationText.quoted(source))", "volume = \(volume)"]
    lines += ["rise_s = \(riseSeconds)", "minutes = \(minutes)"]
    if !isOn { lines.append("on = false") }
    if let skipped { lines.append("skip = \"\(skipped.iso)\"") }
    if restsOnHolidays { lines.append("holidays = false") }
    return lines.joined(separator: "\n")
  }
}

extension TextRule {
  fileprivate static var timeOfDay: TextRule { TextRule("a time such as \"06:30\"") { Alarm.minute($0) != nil } }

  fileprivate static var date: TextRule { TextRule("a date such as \"2026-12-24\"") { CalendarDay(iso: $0) != nil } }
}

import Alarms
import Control
import Settings
import Units

/// The command for alarms.
enum AlarmCommands {
  /// Returns the commands. `box` must outlive them.
  static func rows(_ box: any BoxControls) -> [ControlCommand] {
    [
      ControlCommand(
        "radio_alarm",
        "[list|add TIME DAYS SOURCE [KEY VALUE…]|set NUMBER KEY VALUE…|remove NUMBER|on NUMBER|off NUMBER"
          + "|skip NUMBER [off]|snooze [MINUTES]|stop|log]",
        0...20, .player,
        "lists the alarms, changes or answers one; DAYS: mon,tue, daily, weekdays, weekend, once or a date"
      ) { [unowned box] call throws(ControlRefusal) in try execute(box.alarms, &call) }
    ]
  }

  private static let maxSnooze = 60

  private static func execute(_ keeper: AlarmKeeper, _ call: inout ControlCall) throws(ControlRefusal) {
    switch (call[0] ?? "list", call.arguments.count) {
    case ("list", 0...1): return list(keeper, &call)
    case ("log", 1): return addReports(keeper, &call)
    case ("snooze", 1...2):
      let minutes = call[1] == nil ? AlarmKeeper.snoozeMinutes : try call.integer(1, in: 1...maxSnooze)
      guard keeper.snooze(minutes: minutes) else { throw ControlRefusal(.notFound, "No alarm rings now") }
    case ("stop", 1):
      guard keeper.stop() else { throw ControlRefusal(.notFound, "No alarm rings now") }
    case ("add", 4...) where call.arguments.count % 2 == 0: try add(keeper, call)
    case ("set", 4...) where call.arguments.count % 2 == 0:
      try change(keeper, call) { alarm, words throws(ControlRefusal) in try AlarmWords(keeper, call).set(&alarm, words)
      }
    case ("on", 2): try change(keeper, call) { alarm, _ in alarm.isOn = true }
    case ("off", 2): try change(keeper, call) { alarm, _ in alarm.isOn = false }
    case ("skip", 2...3): try skip(keeper, call)
    case ("remove", 2):
      let place = try place(keeper, call)
      var alarms = keeper.list
      alarms.remove(at: place)
      try keeper.change(alarms)
    case (let word, _):
      throw ControlRefusal(.argument, "Unknown or incomplete: radio_alarm \(word); see `commands`")
    }
    list(keeper, &call)
  }

  private static func list(_ keeper: AlarmKeeper, _ call: inout ControlCall) {
    for (number, alarm) in keeper.list.enumerated() {
      let next = keeper.next.flatMap { $0.number == number ? AlarmKeeper.text($0.moment, keeper.zone) : nil }
      call.answer.add([
        "alarm": number + 1, "time": alarm.timeText, "days": alarm.daysText, "source": alarm.shownSource,
        "volume": alarm.volume, "rise_s": alarm.riseSeconds, "minutes": alarm.minutes, "on": alarm.isOn,
        "skip": alarm.skipped?.iso, "holidays": alarm.restsOnHolidays ? false : nil, "next": next,
        "problem": keeper.problem(of: alarm.source),
      ])
    }
    if let run = keeper.run {
      call.answer.add([
        "ringing": run.occurrence.number + 1, "snoozing": run.isSnoozing, "tone": run.hasTone,
        "sound_s": run.soundSeconds,
      ])
    }
  }

  private static func addReports(_ keeper: AlarmKeeper, _ call: inout ControlCall) {
    for report in keeper.reports { call.answer.add("report", report.sentence(in: keeper.zone)) }
  }

  // MARK: Changes

  private static func add(_ keeper: AlarmKeeper, _ call: ControlCall) throws(ControlRefusal) {
    let words = call.arguments
    var alarm = Alarm(minute: 0, .weekly(.everyDay), source: "")
    let first = ["time", words[1], "days", words[2], "source", words[3]]
    try AlarmWords(keeper, call).set(&alarm, first + words[4...])
    try keeper.change(keeper.list + [alarm])
  }

  private static func place(_ keeper: AlarmKeeper, _ call: ControlCall) throws(ControlRefusal) -> Int {
    let count = keeper.list.count
    guard count > 0 else { throw ControlRefusal(.notFound, "There is no alarm") }
    return try call.integer(1, in: 1...count, outside: "There is no alarm \(call.arguments[1]); choose 1 to \(count)")
      - 1
  }

  private static func change(
    _ keeper: AlarmKeeper, _ call: ControlCall, _ body: (inout Alarm, [String]) throws(ControlRefusal) -> Void
  ) throws(ControlRefusal) {
    let place = try place(keeper, call)
    var alarms = keeper.list
    try body(&alarms[place], Array(call.arguments.dropFirst(2)))
    try keeper.change(alarms)
  }

  private static func skip(_ keeper: AlarmKeeper, _ call: ControlCall) throws(ControlRefusal) {
    if let word = call[2], word != "off" {
      throw ControlRefusal(.argument, "There is no \(word); write skip NUMBER [off]")
    }
    let place = try place(keeper, call)
    let day = call[2] == nil ? keeper.nextDay(of: place) : nil
    if call[2] == nil, day == nil { throw ControlRefusal(.notFound, "The alarm does not ring within a year") }
    try change(keeper, call) { alarm, _ in alarm.skipped = day }
  }
}

extension Alarm {
  /// The source without secrets.
  fileprivate var shownSource: String { source.contains("://") ? StationAddress(source).description : source }

  /// The days as in `radio_alarm`.
  fileprivate var daysText: String {
    switch repetition {
    case .once(let day): day.iso
    case .weekly(.everyDay): "daily"
    case .weekly(let days): days.names.joined(separator: ",")
    }
  }
}

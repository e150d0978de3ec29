import Alarms
import Control
import Units

/// The words of `radio_alarm` that change an alarm.
struct AlarmWords {
  private let keeper: AlarmKeeper
  private let call: ControlCall

  init(_ keeper: AlarmKeeper, _ call: ControlCall) { (self.keeper, self.call) = (keeper, call) }

  /// Changes an alarm by pairs of keys and values.
  func set(_ alarm: inout Alarm, _ words: [String]) throws(ControlRefusal) {
    for place in stride(from: 0, to: words.count - 1, by: 2) {
      let (key, value) = (words[place], words[place + 1])
      switch key {
      case "time":
        guard let minute = Alarm.minute(value) else {
          throw ControlRefusal(.argument, "There is no time \(value); write such as 06:30")
        }
        alarm.minute = minute
      case "days": alarm.repetition = try repetition(value, minute: alarm.minute)
      case "source":
        try check(value)
        alarm.source = value
      case "volume": alarm.volume = try number(value, 1...100, key)
      case "rise_s": alarm.riseSeconds = try number(value, 0...600, key)
      case "minutes": alarm.minutes = try number(value, 1...240, key)
      default:
        let known = "time, days, source, volume, rise_s and minutes"
        throw ControlRefusal(.argument, "There is no \(key); there are \(known)")
      }
    }
  }

  private func number(_ text: String, _ range: ClosedRange<Int>, _ key: String) throws(ControlRefusal) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw ControlRefusal(.argument, "\(key) is \(range.lowerBound) to \(range.upperBound): \(text)")
    }
    return number
  }

  private func repetition(
    _ text: String, minute: Int
  ) throws(ControlRefusal) -> Alarm.Repetition {
    switch text {
    case "daily": return .weekly(.everyDay)
    case "weekdays": return .weekly(Weekdays(rawValue: 0x3E))
    case "weekend": return .weekly(Weekdays(rawValue: 0x41))
    case "once":
      guard let day = keeper.nextDay(atMinute: minute) else {
        throw ControlRefusal(.notFound, "The time is not known yet; write the date, such as 2026-12-24")
      }
      return .once(day)
    default:
      if let day = CalendarDay(iso: text) { return .once(day) }
      let names = text.split(separator: ",").map { String($0) }
      guard let days = Weekdays(names: names), !days.isEmpty else {
        let known = "mon,tue,wed,thu,fri,sat,sun, daily, weekdays, weekend, once or a date such as 2026-12-24"
        throw ControlRefusal(.argument, "There are no days \(text); write \(known)")
      }
      return .weekly(days)
    }
  }

  /// Refuses a source that cannot be played, or that this client may not choose.
  private func check(_ source: String) throws(ControlRefusal) {
    if source.contains("://") {
      _ = try call.isFromDirectory(source)
      if source.lowercased().hasPrefix("file:") { try call.requireLocal() }
    } else if ["/", "~", "."].contains(where: { source.hasPrefix($0) }) {
      try call.requireLocal()
    }
    if let problem = keeper.problem(of: source) { throw ControlRefusal(.notFound, problem) }
  }
}

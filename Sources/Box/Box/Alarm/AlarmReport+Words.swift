import Alarms

extension AlarmReport {
  /// The report as a sentence for the log.
  func sentence(in zone: ZoneRules) -> String {
    let time = AlarmKeeper.text(due, zone)
    if end == .missed { return "The alarm of \(time) was missed, because the radio had no power or no time." }
    guard let silentSeconds else { return "The alarm of \(time) made no sound. \(problem ?? "")" }
    var text = "The alarm of \(time) rang after \(silentSeconds) s"
    if !heard.isEmpty { text += " with \(heard.joined(separator: ", then "))" }
    text += ": \(soundSeconds) s of sound"
    if toneSeconds > 0 { text += ", \(toneSeconds) s of tone" }
    if let level { text += ", up to \(Int(level.rounded())) dB" }
    if snoozeCount > 0 { text += ", postponed \(snoozeCount) times" }
    text += end.map { "; \($0.rawValue)." } ?? "."
    return problem.map { "\(text) \($0)" } ?? text
  }
}

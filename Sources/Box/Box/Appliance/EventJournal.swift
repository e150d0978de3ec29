import Control
import RadioEngine

/// Log lines for the radio's events. `FaultJournal` logs the station's faults.
enum EventJournal {
  /// `isDeviceMissing`: true if the sound card is gone and the radio waits for its return. `sources`: the state of the
  /// fallback chain after the event.
  static func line(_ event: Event, isDeviceMissing: Bool, _ sources: FallbackPlayer) -> LogLine? {
    switch event {
    case .deviceLost(_, let message): isDeviceMissing ? LogLine(level: .warning, text: message) : nil
    case .deviceBack(_, let message): LogLine(level: .notice, text: message)
    case .failedOver(let from, let to, let reason, _, _):
      LogLine(
        level: .warning, text: sentences("\(to) plays instead of \(from). \(reason)", sources.report?.nextSentence))
    case .deadAir(let level, _):
      sources.departure.map { left in
        LogLine(
          level: .notice,
          text: sentences(
            "Dead air of \(left.from) at \(Int(level)) dB. \(left.reason.sentence)",
            sources.report.map { "\($0.source) is tried now." }))
      }
    case .cameBack(let to, _, let after):
      LogLine(
        level: .notice,
        text: sentences(
          "\(to) plays again after \(Int(after)) s.",
          sources.reason(beforeReturnTo: to).map { "The reason for the change was: \($0.sentence)" }))
    case .rescued(let held, let waits):
      LogLine(
        level: .error,
        text: "\(Int(held)) s of buffered audio were silent for 5 s; playback was restarted (\(waits)).")
    default: nil
    }
  }

  private static func sentences(_ first: String, _ second: String?) -> String {
    second.map { "\(first) \($0)" } ?? first
  }
}

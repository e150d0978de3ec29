import RadioEngine

/// Log lines for the radio's events. `FaultJournal` logs the station's faults.
enum EventJournal {
  /// `isDeviceMissing`: true if the sound card is gone and the radio waits for its return.
  static func line(_ event: Event, isDeviceMissing: Bool) -> LogLine? {
    switch event {
    case .deviceLost(_, let message): isDeviceMissing ? LogLine(level: .warning, text: message) : nil
    case .deviceBack(_, let message): LogLine(level: .notice, text: message)
    case .failedOver(let from, let to, let reason, _, _):
      LogLine(level: .warning, text: "\(to) plays instead of \(from). \(reason)")
    case .deadAir(let level, let seconds):
      LogLine(level: .notice, text: "The audio has been at \(Int(level)) dB for \(Int(seconds)) s.")
    case .cameBack(let to, _, let after): LogLine(level: .notice, text: "\(to) plays again after \(Int(after)) s.")
    case .rescued(let held, let waits):
      LogLine(
        level: .error,
        text: "\(Int(held)) s of buffered audio were silent for 5 s; playback was restarted (\(waits)).")
    default: nil
    }
  }
}

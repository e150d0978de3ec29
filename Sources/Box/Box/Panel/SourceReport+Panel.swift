import Control
import HomeAssistant

extension RadioSnapshot.Replacement {
  /// Creates the replacement for Home Assistant. `times`: the times of the same report.
  init(_ report: SourceReport, _ times: SourceTimes) {
    self.init(source: report.source, station: report.station, reason: report.reason.sentence)
    since = times.since.flatMap { TimeText.utc($0) }
    nextAttempt =
      switch report.next {
      case .never: nil
      case .planned: times.next.flatMap { TimeText.utc($0) }
      case .receiving, .retrying: "now"
      }
  }
}

import Control
import HomeAssistant
import Panel

extension PanelSource {
  /// Creates the source for the display. `times`: the times of the same report.
  init(_ report: SourceReport, _ times: SourceTimes) {
    self.init(Kind(report.kind), insteadOf: report.station, Reason(report.reason))
    since = times.since.flatMap(WallTime.clock)
    next =
      switch report.next {
      case .never: .never
      // The end of the ad, and not the reception, permits the return.
      case .receiving where report.reason == .ad: .never
      case .planned: .later(times.next.flatMap(WallTime.clock))
      case .receiving, .retrying: .now
      }
  }
}

extension PanelSource.Kind {
  fileprivate init(_ kind: SourceReport.Kind) {
    self =
      switch kind {
      case .address: .address
      case .fallback: .fallback
      case .tone: .tone
      }
  }
}

extension PanelSource.Reason {
  fileprivate init(_ reason: SourceReason) {
    if let fault = reason.fault {
      self = .fault(PanelFault(fault, attempt: 1, nextTry: nil))
      return
    }
    self =
      switch reason {
      case .choice: .choice
      case .noAudio: .noAudio
      case .fault: .unplayable
      case .quiet: .quiet
      case .loop: .loop
      case .slowLine: .slowLine
      case .ad: .ad
      }
  }
}

extension RadioSnapshot.Replacement {
  /// Creates the replacement for Home Assistant. `times`: the times of the same report.
  init(_ report: SourceReport, _ times: SourceTimes) {
    self.init(source: report.source, station: report.station, reason: report.reasonSentence)
    since = times.since.flatMap { TimeText.utc($0) }
    nextAttempt =
      switch report.next {
      case .never: nil
      case .receiving where report.reason == .ad: nil
      case .planned: times.next.flatMap { TimeText.utc($0) }
      case .receiving, .retrying: "now"
      }
  }
}

import Recordings
import Units

/// Delivers the radio's events and counts them in the summary. Control thread only.
final class Journal {
  let observers = EventObservers()
  private(set) var summary = Summary()
  private let engine: any EngineControl
  private let made: MonotonicTime
  private var nextLook = MonotonicTime.zero

  private static let interval = Duration(milliseconds: 5_000)

  init(_ engine: any EngineControl) {
    self.engine = engine
    made = engine.now
  }

  /// Seconds since the radio was created.
  var time: Double { (engine.now - made).seconds }

  func emit(_ event: Event) {
    switch event {
    case .metadataChanged: summary.titles += 1
    case .rescued: summary.rescues += 1
    case .stitched(_, let lost, _, _):
      summary.stitches += 1
      // A successful reconnection is joined once; failed attempts are not.
      summary.reconnects += 1
      summary.lost += lost
    default: break
    }
    observers.emit(event, at: time)
  }

  func emit(_ events: [Event]) { for event in events { emit(event) } }

  func emit(_ events: [RecordingEvent]) { for event in events { emit(Event(event)) } }

  func countReconnect() { summary.reconnects += 1 }

  func account(heard: Double, byteCount: Int) {
    summary.heard += heard
    summary.bytes += byteCount
  }

  func sampleMemory() {
    guard engine.now >= nextLook else { return }
    nextLook = engine.now + Self.interval
    summary.rssAnonPeak = max(summary.rssAnonPeak, engine.residentKibibytes)
  }

  func close() {
    (summary.underruns, summary.xruns) = (engine.underruns, engine.xruns)
    emit(.summary(summary))
  }
}

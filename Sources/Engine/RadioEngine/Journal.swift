import Units

/// What a radio tells, and its run in figures: what is told is counted. The control thread's.
final class Journal {
  /// Who hears every event, with the seconds since the radio was made.
  let observers = EventObservers()
  /// The run in figures so far.
  private(set) var summary = Summary()
  private let engine: any EngineControl
  private let made: MonotonicTime
  private var nextLook = MonotonicTime.zero

  /// Between two looks at the process's memory.
  private static let interval = Duration(milliseconds: 5_000)

  init(_ engine: any EngineControl) {
    self.engine = engine
    made = engine.now
  }

  /// Seconds since the radio was made.
  var time: Double { (engine.now - made).seconds }

  /// Tells an event, and counts it.
  func tell(_ event: Event) {
    switch event {
    case .metadataChanged: summary.titles += 1
    case .rescued: summary.rescues += 1
    case .stitched(_, let lost, _, _):
      summary.stitches += 1
      // Each new connection that takes over is joined once; tries that failed are not.
      summary.reconnects += 1
      summary.lost += lost
    default: break
    }
    observers.tell(event, at: time)
  }

  /// Tells several, in their order.
  func tell(_ events: [Event]) { for event in events { tell(event) } }

  /// A file's download goes on by another connection.
  func countReconnect() { summary.reconnects += 1 }

  /// A programme is over, or goes on elsewhere: so many seconds of it were heard, and so many bytes came.
  func account(heard: Double, byteCount: Int) {
    summary.heard += heard
    summary.bytes += byteCount
  }

  /// Looks at the process's memory when it is time.
  func lookAtMemory() {
    guard engine.now >= nextLook else { return }
    nextLook = engine.now + Self.interval
    summary.rssAnonPeak = max(summary.rssAnonPeak, engine.residentKibibytes)
  }

  /// Tells the whole run, which is over.
  func close() {
    (summary.underruns, summary.xruns) = (engine.underruns, engine.xruns)
    tell(.summary(summary))
  }
}

import Framing
import Units

/// Reports a programme's source, its faults and their end to the control thread. Net thread only.
final class ProgrammeReport {
  private let output: ProgrammeOutput
  private var outage = Outage()
  private(set) var facts: StationFacts?
  private var window: ProgrammeWindow?

  init(_ output: ProgrammeOutput) { self.output = output }

  func begin() { (outage, facts, window) = (Outage(), nil, nil) }

  func send(_ notice: NetNotice) { output.send(notice) }

  // MARK: Source

  /// Stores the facts of a response head, without reporting them.
  func record(_ facts: StationFacts?) { self.facts = facts ?? self.facts }

  func markUnseekable() { facts?.isSeekable = false }

  func record(_ segments: SegmentFacts, length: StreamTime?) {
    facts?.segments = segments
    recordSegments(length: length)
  }

  func record(_ container: StreamContainer?) { facts?.container = container }

  /// `length`: duration of a finished list; nil for a live station.
  func recordSegments(length: StreamTime?) {
    guard var told = facts else { return }
    (told.isLive, told.mayBeFile, told.isSeekable) = (length == nil, false, length != nil)
    (told.byteCount, told.duration) = (nil, length)
    facts = told
  }

  func send(_ window: ProgrammeWindow) {
    guard window != self.window else { return }
    self.window = window
    send(.window(window))
  }

  func reportConnected() {
    guard let facts else { return }
    _ = outage.endDoubt()
    send(.connected(facts))
  }

  /// Reports that a file starts. `place`: nil for the first file of the programme.
  func reportStart(_ facts: StationFacts, at place: FilePlace?, token: Int) {
    _ = outage.endDoubt()
    self.facts = facts
    send(place.map { .followed(facts, at: $0, token: token) } ?? .connected(facts))
  }

  func reportUpdates(_ notices: [NetNotice]) {
    for notice in notices {
      if case .length(let length) = notice { facts?.duration = length }
      send(notice)
    }
  }

  func reportResumed() { if outage.endDoubt() { send(.resumed) } }

  func recordPacket() { outage.recordPacket() }

  var isInDoubt: Bool { outage.isInDoubt }

  // MARK: Faults

  /// Reports a temporary fault; a missing network only once.
  func reportTemporary(_ fault: PlaybackFault) {
    if outage.shouldReport(fault) { send(.fault(fault, isFinal: false)) }
  }

  /// Reports a fault that leads to another try.
  func reportFailure(_ fault: PlaybackFault) { send(.fault(fault, isFinal: false)) }

  /// Reports the final fault and ends the programme; the buffered audio still plays.
  func giveUp(_ fault: PlaybackFault) {
    send(.fault(fault, isFinal: true))
    output.finish()
  }

  func reportRetry(_ notice: NetNotice) {
    send(notice)
    outage.beginTry()
  }

  /// Reports the lost network. Only buffered audio may be playing, so the next packet reports `reportConnected` again.
  func reportNetworkLoss(_ fault: PlaybackFault) {
    reportTemporary(fault)
    outage.beginTry()
  }

  func recordSpareFault(_ fault: PlaybackFault) {
    outage.spareFailed(fault)
    if fault.category == .noNetwork || fault.category == .httpError { reportTemporary(fault) }
  }

  func removeSpareFault() -> PlaybackFault? { outage.removeSpareFault() }

  func clearSpareFault() { outage.clearSpareFault() }
}

import Framing
import Units

/// Reports a programme's source, its faults and their end to the control thread. Net thread only.
final class ProgrammeReport {
  private let output: ProgrammeOutput
  private var outage = Outage()
  /// Facts from the last response; nil before the first response.
  private(set) var facts: StationFacts?
  private var window: ProgrammeWindow?

  init(_ output: ProgrammeOutput) { self.output = output }

  func begin() { (outage, facts, window) = (Outage(), nil, nil) }

  func tell(_ notice: NetNotice) { output.tell(notice) }

  // MARK: Source

  /// Stores the facts of a response head, without reporting them.
  func note(_ facts: StationFacts?) { self.facts = facts ?? self.facts }

  func noteUnseekable() { facts?.isSeekable = false }

  func note(_ segments: SegmentFacts, length: StreamTime?) {
    facts?.segments = segments
    noteSegments(length: length)
  }

  func note(_ container: StreamContainer?) { facts?.container = container }

  /// `length`: duration of a finished list; nil for a live station.
  func noteSegments(length: StreamTime?) {
    guard var told = facts else { return }
    (told.isLive, told.mayBeFile, told.isSeekable) = (length == nil, false, length != nil)
    (told.byteCount, told.duration) = (nil, length)
    facts = told
  }

  func tell(_ window: ProgrammeWindow) {
    guard window != self.window else { return }
    self.window = window
    tell(.window(window))
  }

  func connected() {
    guard let facts else { return }
    _ = outage.endDoubt()
    tell(.connected(facts))
  }

  /// Reports that a file starts. `place`: nil for the first file of the programme.
  func begins(_ facts: StationFacts, at place: FilePlace?, token: Int) {
    _ = outage.endDoubt()
    self.facts = facts
    tell(place.map { .followed(facts, at: $0, token: token) } ?? .connected(facts))
  }

  func learned(_ notices: [NetNotice]) {
    for notice in notices {
      if case .length(let length) = notice { facts?.duration = length }
      tell(notice)
    }
  }

  /// Reports `resumed` if the audio of the file was in doubt.
  func goesOn() { if outage.endDoubt() { tell(.resumed) } }

  func hear() { outage.hear() }

  var isInDoubt: Bool { outage.isInDoubt }

  // MARK: Faults

  /// Reports a temporary fault; a missing network only once.
  func passing(_ fault: PlaybackFault) {
    if outage.tells(fault) { tell(.fault(fault, isFinal: false)) }
  }

  /// Reports a fault that leads to another try.
  func failed(_ fault: PlaybackFault) { tell(.fault(fault, isFinal: false)) }

  /// Reports the final fault and ends the programme; the buffered audio still plays.
  func gaveUp(_ fault: PlaybackFault) {
    tell(.fault(fault, isFinal: true))
    output.finish()
  }

  func planned(_ notice: NetNotice) {
    tell(notice)
    outage.beginTry()
  }

  /// Reports the lost network. Only buffered audio may be playing, so the next packet reports `connected` again.
  func networkLost(_ fault: PlaybackFault) {
    passing(fault)
    outage.beginTry()
  }

  func spareFailed(_ fault: PlaybackFault) {
    outage.spareFailed(fault)
    if fault.category == .noNetwork || fault.category == .httpError { passing(fault) }
  }

  func takeSpareFault() -> PlaybackFault? { outage.takeSpareFault() }

  func forgetSpare() { outage.forgetSpare() }
}

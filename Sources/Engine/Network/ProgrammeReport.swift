import Framing
import Units

/// What is told of the programme: what is on, what is wrong, and that it is well again. The net thread's.
final class ProgrammeReport {
  private let output: ProgrammeOutput
  private var outage = Outage()
  /// What the server of the last answer told; nil before the first one.
  private(set) var facts: StationFacts?
  private var window: ProgrammeWindow?

  /// Tells by `output`.
  init(_ output: ProgrammeOutput) { self.output = output }

  /// Nothing was told of the programme yet.
  func begin() { (outage, facts, window) = (Outage(), nil, nil) }

  /// Tells something of the programme.
  func tell(_ notice: NetNotice) { output.tell(notice) }

  // MARK: What is on

  /// A server told what it sends; nothing is told of it yet.
  func note(_ facts: StationFacts?) { self.facts = facts ?? self.facts }

  /// A file comes as a whole, so that no place of it can be asked for.
  func noteUnseekable() { facts?.isSeekable = false }

  /// What comes is the segments of an HLS station, of which that is told.
  func note(_ segments: SegmentFacts, length: StreamTime?) {
    facts?.segments = segments
    noteSegments(length: length)
  }

  /// What the sound lies in.
  func note(_ container: StreamContainer?) { facts?.container = container }

  /// What comes is the segments of an HLS station, which has an end after `length` or none.
  func noteSegments(length: StreamTime?) {
    guard var told = facts else { return }
    (told.isLive, told.mayBeFile, told.isSeekable) = (length == nil, false, length != nil)
    (told.byteCount, told.duration) = (nil, length)
    facts = told
  }

  /// Tells what of an HLS station can be had, where that is news.
  func tell(_ window: ProgrammeWindow) {
    guard window != self.window else { return }
    self.window = window
    tell(.window(window))
  }

  /// Tells that audio comes.
  func connected() {
    guard let facts else { return }
    _ = outage.endDoubt()
    tell(.connected(facts))
  }

  /// Tells that a file begins to play, at that place behind another one or as the first.
  func begins(_ facts: StationFacts, at place: FilePlace?, token: Int) {
    _ = outage.endDoubt()
    self.facts = facts
    tell(place.map { .followed(facts, at: $0, token: token) } ?? .connected(facts))
  }

  /// Tells what became known of a file.
  func learned(_ notices: [NetNotice]) {
    for notice in notices {
      if case .length(let length) = notice { facts?.duration = length }
      tell(notice)
    }
  }

  /// Sound of a file comes again; that is told where it had been in doubt.
  func goesOn() { if outage.endDoubt() { tell(.resumed) } }

  /// A packet came.
  func hear() { outage.hear() }

  /// Whether a try was told of, and not yet that audio comes.
  var isInDoubt: Bool { outage.isInDoubt }

  // MARK: What is wrong

  /// Tells of a fault that may pass; that there is no network is told once.
  func passing(_ fault: PlaybackFault) {
    if outage.tells(fault) { tell(.fault(fault, isFinal: false)) }
  }

  /// Tells of a fault behind which something else is tried.
  func failed(_ fault: PlaybackFault) { tell(.fault(fault, isFinal: false)) }

  /// The programme is given up: whoever plays what is held is told why, and that no more will come.
  func gaveUp(_ fault: PlaybackFault) {
    tell(.fault(fault, isFinal: true))
    output.finish()
  }

  /// Tells of the next try.
  func planned(_ notice: NetNotice) {
    tell(notice)
    outage.beginTry()
  }

  /// The network is gone, and what is heard may be what was held: the next packet says that it goes on.
  func networkLost(_ fault: PlaybackFault) {
    passing(fault)
    outage.beginTry()
  }

  /// A connection beside a silent one failed.
  func spareFailed(_ fault: PlaybackFault) {
    outage.spareFailed(fault)
    if fault.category == .noNetwork || fault.category == .httpError { passing(fault) }
  }

  /// Why the next connection beside a silent one is tried; nil where the last one did not fail.
  func takeSpareFault() -> PlaybackFault? { outage.takeSpareFault() }

  /// Why others failed is no reason any more.
  func forgetSpare() { outage.forgetSpare() }
}

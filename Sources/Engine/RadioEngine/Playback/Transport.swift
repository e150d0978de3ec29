import Blocks
import Http
import Network
import Units

/// The run state and the listener's position: pause, seek, position (R3, R11).
///
/// A value without clock and threads: each input comes with a snapshot of the programme and returns actions, which must
/// be carried out in order. Reading the position changes nothing.
struct Transport: Equatable {
  enum Flow: Equatable {
    case connecting, buffering, playing
  }

  struct Pause: Equatable {
    enum Cause: Equatable {
      case listener
      /// The device is away (`OutputSupervisor`); playback resumes when it returns.
      case interruption
    }

    var cause: Cause
    var reason: Event.StopReason
    var since: MonotonicTime
    /// True if the connection was closed because of a long pause.
    var isResting = false
  }

  enum Run: Equatable {
    case stopped
    case running(Flow)
    case paused(Pause)
  }

  typealias Action = TransportAction

  private(set) var run = Run.stopped
  /// True if the listener had paused the programme that was stopped last.
  private(set) var wasPaused = false
  private var isLost = false
  private(set) var hasPlayed = false
  private(set) var isFlowing = false
  /// Start of the current silence, for the result of `sounds`.
  private var starvedAt = MonotonicTime.zero
  /// Number of the last seek; counts over all programmes.
  private(set) var seek: UInt32 = 0
  /// Goal of the last seek, requested or found; nil once audible.
  private var target: StreamTime?
  /// Buffer at live when the listener left live; nil at live.
  private var liveHold: StreamTime?
  /// Goal of a seek beyond the buffer, until it flows.
  private var away: StreamTime?
  private var requested = StreamTime.zero
  /// The seek back to audio that a device did not play; 0 without one.
  private var returnSeek: UInt32 = 0
  var rules: TransportRules

  init(_ rules: TransportRules) { self.rules = rules }

  // MARK: Facts
  var phase: RadioState {
    switch run {
    case .stopped: .stopped
    case .running(.connecting): .connecting
    case .running(.buffering): .buffering
    case .running(.playing): .playing
    case .paused: .paused
    }
  }

  /// The state (R1.9).
  var state: RadioState { isLost && (phase == .playing || phase == .buffering) ? .connecting : phase }

  var isResting: Bool { if case .paused(let pause) = run { pause.isResting } else { false } }

  var isAway: Bool { away != nil }

  var isSeeking: Bool { target != nil }

  var isAtLive: Bool { liveHold == nil }

  /// The audible position, or the position that will be audible in a moment.
  func position(_ look: ProgrammeSnapshot) -> StreamTime {
    if let target, look.audible?.seek != seek { return target }
    return look.audible?.at ?? .zero
  }

  func buffered(_ look: ProgrammeSnapshot) -> StreamTime {
    guard look.audible != nil else { return look.ahead }
    let first = look.hasOverwritten ? max(position(look), look.oldest) : position(look)
    return max(.zero, look.written - first)
  }

  /// Seconds behind live that pauses and rewinds caused.
  func timeShift(_ look: ProgrammeSnapshot) -> Double {
    if let live = look.absentLive { return max(0, (live - position(look)).seconds) }
    return liveHold.map { max(0, (buffered(look) - $0).seconds) } ?? 0
  }

  func duration(_ look: ProgrammeSnapshot) -> StreamTime? {
    guard let facts = look.facts, !facts.isLive else { return nil }
    guard let length = facts.duration else { return look.end.map { $0 - look.base } }
    return look.end == nil ? max(length, position(look) - look.base) : length
  }

  func isRewindAllowed(_ seconds: Double, _ look: ProgrammeSnapshot) -> Bool {
    let oldest = look.isFileSeekAllowed ? look.base : max(look.base, look.oldestToHear)
    return hasPlayed && (position(look) - oldest).seconds >= seconds
  }

  func isFastForwardAllowed(_ seconds: Double, _ look: ProgrammeSnapshot) -> Bool {
    let length = look.isFileSeekAllowed ? look.facts?.duration : nil
    return hasPlayed && ((length.map { look.base + $0 } ?? look.newestToHear) - position(look)).seconds >= seconds
  }

  // MARK: Programmes

  /// Starts a programme, a file at `start`. With `keepsPause` a pause continues, because the listener did not request
  /// the programme.
  mutating func begin(at start: StreamTime, keepsPause: Bool, _ look: ProgrammeSnapshot) -> [Action] {
    (isLost, hasPlayed, isFlowing) = (false, false, false)
    (target, away, liveHold) = (nil, nil, nil)
    if start > .zero { (requested, target, away) = (start, start, start) }
    if keepsPause, case .paused(var pause) = run {
      pause.isResting = false
      run = .paused(pause)
      return leaveLive(look)
    }
    run = .running(.connecting)
    return look.isSuspended ? interrupt(look) : []
  }

  mutating func leave(_ requested: StreamTime, for target: StreamTime, _ look: ProgrammeSnapshot) -> [Action] {
    (isFlowing, isLost) = (false, false)
    (self.requested, self.target, away) = (requested, target, target)
    if case .paused(var pause) = run {
      (pause.isResting, pause.since) = (false, look.now)
      run = .paused(pause)
    }
    guard case .running(let flow) = run else { return [.wakeRenderThread] }
    starvedAt = look.now
    run = .running(.buffering)
    let wait = rules.hold.start(isLive: look.isLive)
    return flow == .buffering ? [] : [.emit(.buffering(held: 0, target: wait.seconds))]
  }

  mutating func stop() {
    if case .paused(let pause) = run { wasPaused = pause.cause == .listener } else { wasPaused = false }
    run = .stopped
  }

  mutating func connecting() { if case .running = run { run = .running(.connecting) } }

  /// Records a response. A presumed live stream may be a file, which has no live position.
  mutating func connected(turnedOutFile: Bool, _ look: ProgrammeSnapshot) {
    isLost = false
    if turnedOutFile { liveHold = nil }
    if look.isLive, look.window == nil, isAway {
      (target, away, liveHold) = (nil, nil, nil)
      if case .paused(var pause) = run {
        pause.isResting = false
        run = .paused(pause)
      }
    }
    if let away, let length = look.facts?.duration, away > length { (self.away, target) = (length, length) }
  }

  /// Records a response after which the prebuffer fills.
  mutating func gathers(_ look: ProgrammeSnapshot) -> [Action] {
    guard run == .running(.connecting) else { return [] }
    run = .running(.buffering)
    return [prebufferAction(look)]
  }

  private func prebufferAction(_ look: ProgrammeSnapshot) -> Action {
    .emit(.buffering(held: buffered(look).seconds, target: rules.hold.start(isLive: look.mayBeLive).seconds))
  }

  mutating func connection(isLost: Bool) { self.isLost = isLost }

  // MARK: Playback

  mutating func flows() -> [Action] {
    isFlowing = true
    guard let place = away else { return [] }
    away = nil
    return [.emit(.seekDone(position: place.seconds, requested: requested.seconds))]
  }

  /// Records that the programme is audible; returns the seconds since the last audio, nil for the first.
  mutating func sounds(at now: MonotonicTime) -> Double? {
    guard case .running = run else { return nil }
    defer { (run, hasPlayed) = (.running(.playing), true) }
    return hasPlayed ? (now - starvedAt).seconds : nil
  }

  /// Records an empty buffer; true if the listener notices it.
  mutating func starved(at now: MonotonicTime) -> Bool {
    isFlowing = false
    guard case .running = run else { return false }
    starvedAt = now
    run = .running(.buffering)
    return true
  }

  /// Records the audible position, once per iteration; ends a seek when its goal is audible.
  mutating func recordPosition(_ heard: AudiblePosition) { if heard.seek == seek { target = nil } }

  // MARK: Pause

  mutating func pause(_ reason: Event.StopReason, _ look: ProgrammeSnapshot) -> [Action] {
    switch run {
    case .stopped: return []
    case .running:
      run = .paused(Pause(cause: .listener, reason: reason, since: look.now))
      return leaveLive(look) + [.pause(true), .emit(.paused(reason))]
    case .paused(var pause):
      // The interruption's pause becomes the listener's, and stays after the interruption.
      guard pause.cause == .interruption else { return [] }
      (pause.cause, pause.reason) = (.listener, reason)
      run = .paused(pause)
      return [.emit(.paused(reason))]
    }
  }

  /// Resumes for the listener, after an interruption if one is active.
  mutating func resume(_ look: ProgrammeSnapshot) -> [Action] {
    guard case .paused(var pause) = run else { return [] }
    guard look.isSuspended else { return resumePlayback(pause, look) }
    guard pause.cause == .listener else { return [] }
    (pause.cause, pause.reason) = (.interruption, .interruption)
    run = .paused(pause)
    return [.emit(.paused(.interruption))]
  }

  private mutating func resumePlayback(_ pause: Pause, _ look: ProgrammeSnapshot) -> [Action] {
    run = .running(look.facts == nil ? .connecting : .buffering)
    starvedAt = look.now
    var actions = [Action.pause(false)]
    // A pause stops the time limit of the first connection.
    if pause.isResting || look.facts == nil { actions.append(.connectAgain) }
    if !isFlowing, look.facts != nil { actions.append(prebufferAction(look)) }
    return actions
  }

  /// Pauses because the device is leaving, until it returns.
  mutating func interrupt(_ look: ProgrammeSnapshot) -> [Action] {
    guard case .running = run else { return [] }
    run = .paused(Pause(cause: .interruption, reason: .interruption, since: look.now))
    return leaveLive(look) + [.emit(.paused(.interruption))]
  }

  mutating func interruptionEnds(_ look: ProgrammeSnapshot) -> [Action] {
    guard case .paused(let pause) = run, pause.cause == .interruption else { return [.pause(phase == .paused)] }
    return skipUnheard(look) + resumePlayback(pause, look)
  }

  /// A live station that was never audible starts near live.
  private mutating func skipUnheard(_ look: ProgrammeSnapshot) -> [Action] {
    guard look.isLive, look.audible == nil else { return [] }
    liveHold = nil
    let safe = look.written - rules.safety
    return [.holdDistance(false)] + (isFlowing && safe > .zero ? [send(safe, safe)] : [])
  }

  /// Records that the machine slept: a paused listener was away for that time.
  mutating func slept(_ sleep: Duration) {
    guard case .paused(var pause) = run else { return }
    pause.since = pause.since - sleep
    run = .paused(pause)
  }

  /// Closes the connection of a station after a long pause.
  mutating func due(_ look: ProgrammeSnapshot) -> [Action] {
    guard case .paused(let pause) = run, rules.pauseTimeout > .zero, look.now - pause.since >= rules.pauseTimeout
    else { return [] }
    return rest(look)
  }

  /// Closes the connection and retains the buffer until playback resumes.
  mutating func rest(_ look: ProgrammeSnapshot) -> [Action] {
    guard case .paused(var pause) = run, !pause.isResting, !look.isRecorded, look.isLive else { return [] }
    (pause.isResting, pause.reason) = (true, .timeout)
    run = .paused(pause)
    return [.rest, .emit(.paused(.timeout))]
  }

  mutating func endRest() -> [Action] {
    guard case .paused(var pause) = run, pause.isResting else { return [] }
    pause.isResting = false
    run = .paused(pause)
    return [.connectAgain]
  }

  var stillPaused: [Action] { if case .paused(let pause) = run { [.emit(.paused(pause.reason))] } else { [] } }

  private mutating func leaveLive(_ look: ProgrammeSnapshot) -> [Action] {
    if liveHold == nil { liveHold = buffered(look) }
    return [.holdDistance(true)]
  }

  /// Goes to a position: of the buffer, or any position of a file.
  mutating func go(to requested: StreamTime, _ look: ProgrammeSnapshot) -> [Action] {
    guard run != .stopped, hasPlayed || isAway && look.goesAnywhere else { return [] }
    let place = look.inFile(requested)
    if look.goesAnywhere, isAway || !look.isBuffered(place) { return [.leave(requested)] }
    let position = position(look)
    if look.window != nil, isAway || look.isOutsideBuffer(place) {
      if look.isRecorded { return [.refuse(.recording)] }
      return (place < position ? leaveLive(look) : []) + [.leave(place)]
    }
    // At a live station the prebuffer stays ahead, or the present distance if shorter.
    let reserve = look.isLive ? min(rules.hold.start(isLive: true), look.written - position) : .zero
    let newest = max(position, look.window?.live ?? look.written)
    let target = max(look.oldest, min(place, look.written - reserve, newest))
    let leaving = target < position ? leaveLive(look) : []
    return leaving + [send(requested, target)] + (phase == .paused ? [.wakeRenderThread] : []) + [.leap]
  }

  /// Goes to live, less the safety buffer; never back.
  mutating func goLive(_ look: ProgrammeSnapshot) -> [Action] {
    if run != .stopped, let window = look.window, isAway || look.absentLive != nil {
      if look.isRecorded { return [.refuse(.recording)] }
      liveHold = nil
      return [.holdDistance(false), .leave(window.live)]
    }
    // During a seek of a file, the ring still shows the old position.
    guard !isAway else { return [] }
    let safe = look.written - rules.safety
    liveHold = nil
    return [.holdDistance(false)] + (safe > position(look) + look.inSink ? go(to: safe, look) : [])
  }

  /// Goes to the oldest position of the buffer, or of an HLS window.
  mutating func goOldest(_ look: ProgrammeSnapshot) -> [Action] {
    if look.window != nil { return go(to: look.oldestToHear, look) }
    // See `goLive`.
    return isAway ? [] : go(to: look.goesAnywhere ? look.oldestPlace : look.oldest, look)
  }

  mutating func repeatUnplayed(_ look: ProgrammeSnapshot) -> [Action] {
    guard run != .stopped, let heard = look.audible, heard.seek == seek else { return [] }
    return goBack(to: heard.at)
  }

  /// Decodes again from the sample at `place`, because the device did not play it; unnoticed by the listener.
  mutating func goBack(to place: StreamTime) -> [Action] {
    defer { returnSeek = seek }
    return [send(place, place, isExact: true)]
  }

  private mutating func send(_ requested: StreamTime, _ target: StreamTime, isExact: Bool = false) -> Action {
    seek &+= 1
    (self.requested, self.target) = (requested, target)
    return .seek(target, seek, isExact: isExact)
  }

  /// Records the position that the decode thread found for a seek; `from`: the oldest position if the goal had been
  /// dropped.
  mutating func found(_ place: StreamTime, _ number: UInt32, from: StreamTime? = nil, _ look: ProgrammeSnapshot)
    -> [Action]
  {
    guard number == seek else { return [] }
    let requested = from ?? self.requested
    (isFlowing, target) = (true, place)
    // A return to the same position is not a seek for the listener.
    if number == returnSeek, place == requested { return [] }
    let (at, asked) = ((place - look.base).seconds, (requested - look.base).seconds)
    return [.leap, .emit(.seekDone(position: at, requested: asked))]
  }
}

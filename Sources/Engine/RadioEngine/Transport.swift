import Blocks
import Network
import Units

/// What runs, and where in the programme the listener is: pause, going elsewhere, position (R3, R11).
///
/// A value without a clock and without threads: each order comes with the programme as it is then and gives actions,
/// which are carried out in their order. Asking for the position changes nothing.
struct Transport: Equatable {
  /// How far a programme is on its way to be heard.
  enum Flow: Equatable {
    case connecting, buffering, playing
  }

  /// Why nothing is heard although the programme runs.
  struct Pause: Equatable {
    enum Cause: Equatable {
      /// The listener wants it so.
      case listener
      /// The device is away (`OutputSupervisor`): the sound goes on when it is back.
      case interruption
    }

    var cause: Cause
    /// What was told of it last.
    var reason: Event.StopReason
    var since: MonotonicTime
    /// Whether the connection was closed because nobody listens.
    var isResting = false
  }

  enum Run: Equatable {
    case stopped
    case running(Flow)
    case paused(Pause)
  }

  /// What holds for all programmes.
  struct Rules: Equatable {
    /// What is left held when a listener goes back to live.
    var safety: StreamTime
    var hold: HoldRule
    /// So long paused, and the connection of a live station is closed; zero: never for that.
    var pauseTimeout: Duration
  }

  typealias Action = TransportAction

  private(set) var run = Run.stopped
  /// Whether the listener had paused what was stopped last.
  private(set) var wasPaused = false
  /// Whether the connection of what has played is gone, and tried again.
  private var isLost = false
  /// Whether the programme was heard.
  private(set) var hasPlayed = false
  /// Whether enough is held for sound.
  private(set) var isFlowing = false
  /// When there was sound last, or should have been.
  private var starvedAt = MonotonicTime.zero
  /// The last seek's number; it goes on counting over all programmes.
  private(set) var seek: UInt32 = 0
  /// Where the last seek goes, as asked for and, once it is known, as found; nil when it is heard.
  private var target: StreamTime?
  /// What was held and not yet heard at live, when the listener left it; nil while he is there.
  private var liveHold: StreamTime?
  /// Where a seek goes that went beyond what was held, until it flows.
  private var away: StreamTime?
  /// What was asked for last.
  private var requested = StreamTime.zero
  /// The seek that goes back to what a device did not play; 0 where none was.
  private var returnSeek: UInt32 = 0
  var rules: Rules

  init(_ rules: Rules) { self.rules = rules }

  // MARK: What there is to know
  /// What the radio does, but for a connection that is gone.
  var phase: RadioState {
    switch run {
    case .stopped: .stopped
    case .running(.connecting): .connecting
    case .running(.buffering): .buffering
    case .running(.playing): .playing
    case .paused: .paused
    }
  }

  /// What the radio does (R1.9).
  var state: RadioState { isLost && (phase == .playing || phase == .buffering) ? .connecting : phase }

  /// Whether the connection was closed because nobody listens.
  var isResting: Bool { if case .paused(let pause) = run { pause.isResting } else { false } }

  /// Whether what is sought has not begun to flow.
  var isAway: Bool { away != nil }

  /// Whether what is sought is not heard yet.
  var isSeeking: Bool { target != nil }

  /// Whether the listener hears what is live, as far as he never left it.
  var isAtLive: Bool { liveHold == nil }

  /// The stream time that is heard, or will be in a moment.
  func position(_ look: ProgrammeLook) -> StreamTime {
    if let target, look.heard?.seek != seek { return target }
    return look.heard?.at ?? .zero
  }

  /// What is held and not yet heard.
  func held(_ look: ProgrammeLook) -> StreamTime {
    look.heard == nil ? look.ahead : max(.zero, look.written - position(look))
  }

  /// Seconds behind live, beyond what is held for safety.
  func timeShift(_ look: ProgrammeLook) -> Double {
    if let live = look.absentLive { return max(0, (live - position(look)).seconds) }
    return liveHold.map { max(0, (held(look) - $0).seconds) } ?? 0
  }

  /// How long the file sounds; nil for a live station, and while it is not known.
  func duration(_ look: ProgrammeLook) -> StreamTime? {
    guard let facts = look.facts, !facts.isLive else { return nil }
    guard let length = facts.duration else { return look.end.map { $0 - look.base } }
    return look.end == nil ? max(length, position(look) - look.base) : length
  }

  func isRewindAllowed(_ seconds: Double, _ look: ProgrammeLook) -> Bool {
    let oldest = look.isFileSeekAllowed ? look.base : max(look.base, look.oldestToHear)
    return hasPlayed && (position(look) - oldest).seconds >= seconds
  }

  func isFastForwardAllowed(_ seconds: Double, _ look: ProgrammeLook) -> Bool {
    let length = look.isFileSeekAllowed ? look.facts?.duration : nil
    return hasPlayed && ((length.map { look.base + $0 } ?? look.newestToHear) - position(look)).seconds >= seconds
  }

  // MARK: Programmes

  /// A programme begins, from `start` on where it is a file. What was paused stays so if the listener did not ask for
  /// the programme (`keepsPause`).
  mutating func begin(at start: StreamTime, keepsPause: Bool, _ look: ProgrammeLook) -> [Action] {
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

  /// The file begins anew at a place that is not held.
  mutating func leave(_ requested: StreamTime, for target: StreamTime, _ look: ProgrammeLook) -> [Action] {
    (isFlowing, isLost) = (false, false)
    (self.requested, self.target, away) = (requested, target, target)
    if case .paused(var pause) = run {
      (pause.isResting, pause.since) = (false, look.now)
      run = .paused(pause)
    }
    guard case .running(let flow) = run else { return [.callRenderThread] }
    starvedAt = look.now
    run = .running(.buffering)
    let wait = rules.hold.start(isLive: look.isLive)
    return flow == .buffering ? [] : [.tell(.buffering(held: 0, target: wait.seconds))]
  }

  /// Nothing is played any more.
  mutating func stop() {
    if case .paused(let pause) = run { wasPaused = pause.cause == .listener } else { wasPaused = false }
    run = .stopped
  }

  /// A connection is being made for the first time.
  mutating func connecting() { if case .running = run { run = .running(.connecting) } }

  /// The server answered. What was taken for live may have turned out to be a file: then there is no live to be at.
  mutating func connected(turnedOutFile: Bool, _ look: ProgrammeLook) {
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

  /// A server has answered, and sound is gathered.
  mutating func gathers(_ look: ProgrammeLook) -> [Action] {
    guard run == .running(.connecting) else { return [] }
    run = .running(.buffering)
    return [tellStart(look)]
  }

  /// Tells what is gathered before sound begins.
  private func tellStart(_ look: ProgrammeLook) -> Action {
    .tell(.buffering(held: held(look).seconds, target: rules.hold.start(isLive: look.mayBeLive).seconds))
  }

  /// Whether the connection of what has played is gone, and tried again.
  mutating func connection(isLost: Bool) { self.isLost = isLost }

  // MARK: Sound

  /// Enough is held for sound.
  mutating func flows() -> [Action] {
    isFlowing = true
    guard let place = away else { return [] }
    away = nil
    return [.tell(.seekDone(position: place.seconds, requested: requested.seconds))]
  }

  /// The programme sounds from now on; seconds since there was sound last, or nil where there was none.
  mutating func sounds(at now: MonotonicTime) -> Double? {
    guard case .running = run else { return nil }
    defer { (run, hasPlayed) = (.running(.playing), true) }
    return hasPlayed ? (now - starvedAt).seconds : nil
  }

  /// All that was held is played; whether the listener hears that.
  mutating func starved(at now: MonotonicTime) -> Bool {
    isFlowing = false
    guard case .running = run else { return false }
    starvedAt = now
    run = .running(.buffering)
    return true
  }

  /// What is heard, once a round: where the last seek is heard, the listener is there.
  mutating func hears(_ heard: HeardPlace) { if heard.seek == seek { target = nil } }

  // MARK: Pausing

  /// The listener pauses.
  mutating func pause(_ reason: Event.StopReason, _ look: ProgrammeLook) -> [Action] {
    switch run {
    case .stopped: return []
    case .running:
      run = .paused(Pause(cause: .listener, reason: reason, since: look.now))
      return leaveLive(look) + [.pause(true), .tell(.paused(reason))]
    case .paused(var pause):
      // What the interruption had paused stays so when that is over.
      guard pause.cause == .interruption else { return [] }
      (pause.cause, pause.reason) = (.listener, reason)
      run = .paused(pause)
      return [.tell(.paused(reason))]
    }
  }

  /// The listener wants to hear on, which he does when an interruption is over.
  mutating func resume(_ look: ProgrammeLook) -> [Action] {
    guard case .paused(var pause) = run else { return [] }
    guard look.isSuspended else { return goOn(pause, look) }
    guard pause.cause == .listener else { return [] }
    (pause.cause, pause.reason) = (.interruption, .interruption)
    run = .paused(pause)
    return [.tell(.paused(.interruption))]
  }

  private mutating func goOn(_ pause: Pause, _ look: ProgrammeLook) -> [Action] {
    run = .running(look.facts == nil ? .connecting : .buffering)
    starvedAt = look.now
    var actions = [Action.pause(false)]
    if pause.isResting { actions.append(.connectAgain) }
    if !isFlowing, look.facts != nil { actions.append(tellStart(look)) }
    return actions
  }

  /// The device goes away: what plays, or begins to, is paused until it is back.
  mutating func interrupt(_ look: ProgrammeLook) -> [Action] {
    guard case .running = run else { return [] }
    run = .paused(Pause(cause: .interruption, reason: .interruption, since: look.now))
    return leaveLive(look) + [.tell(.paused(.interruption))]
  }

  /// The device is back.
  mutating func interruptionEnds(_ look: ProgrammeLook) -> [Action] {
    guard case .paused(let pause) = run, pause.cause == .interruption else { return [.pause(phase == .paused)] }
    return skipUnheard(look) + goOn(pause, look)
  }

  /// A live station of which nothing was heard yet begins near what it sends now.
  private mutating func skipUnheard(_ look: ProgrammeLook) -> [Action] {
    guard look.isLive, look.heard == nil else { return [] }
    liveHold = nil
    let safe = look.written - rules.safety
    return [.keepDistance(false)] + (isFlowing && safe > .zero ? [send(safe, safe)] : [])
  }

  /// The machine slept for so long: a listener who paused was away all that time.
  mutating func slept(_ sleep: Duration) {
    guard case .paused(var pause) = run else { return }
    pause.since = pause.since - sleep
    run = .paused(pause)
  }

  /// Time passed: the connection of a station that nobody listened to for long is closed.
  mutating func due(_ look: ProgrammeLook) -> [Action] {
    guard case .paused(let pause) = run, rules.pauseTimeout > .zero, look.now - pause.since >= rules.pauseTimeout
    else { return [] }
    return rest(look)
  }

  /// Closes the connection and keeps what is held, until the listener is back.
  mutating func rest(_ look: ProgrammeLook) -> [Action] {
    guard case .paused(var pause) = run, !pause.isResting, !look.isRecorded, look.isLive else { return [] }
    (pause.isResting, pause.reason) = (true, .timeout)
    run = .paused(pause)
    return [.rest, .tell(.paused(.timeout))]
  }

  /// A connection is needed, whoever listens.
  mutating func endRest() -> [Action] {
    guard case .paused(var pause) = run, pause.isResting else { return [] }
    pause.isResting = false
    run = .paused(pause)
    return [.connectAgain]
  }

  /// A station that was lost is back, and as silent as before.
  var stillPaused: [Action] { if case .paused(let pause) = run { [.tell(.paused(pause.reason))] } else { [] } }

  private mutating func leaveLive(_ look: ProgrammeLook) -> [Action] {
    if liveHold == nil { liveHold = held(look) }
    return [.keepDistance(true)]
  }

  /// Goes to a place of the programme, or as near to it as is held; to any place of a file.
  mutating func go(to requested: StreamTime, _ look: ProgrammeLook) -> [Action] {
    guard run != .stopped, hasPlayed || isAway && look.goesAnywhere else { return [] }
    let place = look.inFile(requested)
    if look.goesAnywhere, isAway || !look.holds(place) { return [.leave(requested)] }
    let position = position(look)
    if look.window != nil, isAway || look.liesOutsideHeld(place) {
      if look.isRecorded { return [.refuse(.recording)] }
      return (place < position ? leaveLive(look) : []) + [.leave(place)]
    }
    // A live station is left with a little to go on with; one of segments with what a listener begins with.
    let reserve = look.isLive ? min(rules.hold.start(isLive: true), look.written - position) : .zero
    let newest = max(position, look.window?.live ?? look.written)
    let target = max(look.oldest, min(place, look.written - reserve, newest))
    let leaving = target < position ? leaveLive(look) : []
    return leaving + [send(requested, target)] + (phase == .paused ? [.callRenderThread] : []) + [.leap]
  }

  /// Goes to what the station sends now, but for what is kept held for safety; never back.
  mutating func goLive(_ look: ProgrammeLook) -> [Action] {
    if run != .stopped, let window = look.window, isAway || look.absentLive != nil {
      if look.isRecorded { return [.refuse(.recording)] }
      liveHold = nil
      return [.keepDistance(false), .leave(window.live)]
    }
    // Where a file is on its way to another place, what the ring tells is of the place that was left.
    guard !isAway else { return [] }
    let safe = look.written - rules.safety
    liveHold = nil
    return [.keepDistance(false)] + (safe > position(look) + look.inSink ? go(to: safe, look) : [])
  }

  /// Goes to the oldest that is held, or that an HLS station has.
  mutating func goOldest(_ look: ProgrammeLook) -> [Action] {
    if look.window != nil { return go(to: look.oldestToHear, look) }
    // As above.
    return isAway ? [] : go(to: look.goesAnywhere ? look.oldestPlace : look.oldest, look)
  }

  /// The device did not play what was heard last.
  mutating func goBackToHeard(_ look: ProgrammeLook) -> [Action] {
    guard run != .stopped, let heard = look.heard, heard.seek == seek else { return [] }
    return goBack(to: heard.at)
  }

  /// Decodes from the sample at `place` on once more: the device did not play it, and the listener does not notice.
  mutating func goBack(to place: StreamTime) -> [Action] {
    defer { returnSeek = seek }
    return [send(place, place, isExact: true)]
  }

  private mutating func send(_ requested: StreamTime, _ target: StreamTime, isExact: Bool = false) -> Action {
    seek &+= 1
    (self.requested, self.target) = (requested, target)
    return .seek(target, seek, isExact: isExact)
  }

  /// The decode thread found the place of a seek, or the oldest where what was to follow had been dropped (`from`).
  mutating func found(_ place: StreamTime, _ number: UInt32, from: StreamTime? = nil, _ look: ProgrammeLook) -> [Action]
  {
    guard number == seek else { return [] }
    let requested = from ?? self.requested
    (isFlowing, target) = (true, place)
    // Who goes on where he was has not gone anywhere.
    if number == returnSeek, place == requested { return [] }
    let (at, asked) = ((place - look.base).seconds, (requested - look.base).seconds)
    return [.leap, .tell(.seekDone(position: at, requested: asked))]
  }
}

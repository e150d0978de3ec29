import Network
import RadioEngine

/// The radio as those who use it see it: a queue of stations, one of them current, a volume, options, the last failure.
///
/// The protocol, the front panel and the saved state act on it. The control thread's, which hands it every event of the
/// radio (`handle`) and calls `settle` once after each of the radio's steps.
public final class PlayerController {
  /// Where the listener is, and how to get elsewhere.
  public let position: PositionControl
  /// Lends other programs the sound device.
  public let device: DeviceControl
  /// How loud the sound is, and who makes it so.
  public let volume = VolumeControl()
  /// How it goes on by itself; set by `adopt`.
  public private(set) var policy = PlayerPolicy()
  /// Hears what changed, once for each `settle`.
  public var onChange: (Set<Subsystem>) -> Void = { _ in }

  /// Grows each time that somebody chooses what is played, a station or an item of a list; what comes after another
  /// by itself does not count.
  public private(set) var choices = 0
  /// Grows each time that somebody wants silence: stops, pauses what is stopped, or removes what is current.
  public private(set) var stopCount = 0

  private let engine: any PlaybackEngine & RecordingEngine & SoundMeter
  private var lineup = PlayQueue()
  private var changes: Set<Subsystem> = []
  private var tuned = TunedStation()
  private var unheard = UnheardRun()

  /// A player of a radio; its queue is empty.
  public init(_ radio: any PlaybackEngine & RecordingEngine & SoundMeter) {
    engine = radio
    (position, device) = (PositionControl(radio), DeviceControl(radio))
  }

  // MARK: What the radio tells

  /// Hears an event of the radio.
  public func handle(_ event: Event) {
    tuned.hear(event, engine)
    switch event {
    case .deviceLost, .deviceBack: changes.insert(.output)
    case .playing: unheard.sounds()
    case .metadataChanged: touchTuned()
    case .itemBegan: changes.insert(.playlist)
    case .followed: goOver()
    case .stationInfo(let info): learn(info)
    case .metadataReceived, .underrun, .stitched, .summary: return
    default: break
    }
    changes.insert(.player)
  }

  /// Goes on after what ended, and tells what changed.
  public func settle() {
    if let reason = tuned.takeEnding(), state == .stopped { goOn(after: reason) }
    position.settle()
    if state != .stopped { arrangeFollower() }
    let told = [lineup.takeChanges(), position.takeChanges(), volume.takeChanges(), device.takeChanges()]
      .reduce(changes) { $0.union($1) }
    changes = []
    if !told.isEmpty { onChange(told) }
  }

  /// A station without a name gets the one that it tells. What a list calls one of its files is not the list's name.
  private func learn(_ info: StationInfo) {
    if info.facts.isLive, let tunedID, let name = info.facts.name, queue[id: tunedID]?.name.isEmpty == true {
      edit { $0.rename(id: tunedID, name) }
    }
    touchTuned()
  }

  /// What is known of the tuned station changed.
  private func touchTuned() { if let tunedID { lineup.touch(tunedID) } }

  private func goOn(after reason: Event.StopReason) {
    if reason == .error, !policy.skipsFailures || engine.isSinkLost { return playOut() }
    unheard.ends()
    let next = unheard.count >= max(1, queue.count) ? nil : successor()
    lineup.leaveCurrent()
    guard let next, begin(id: next.id) else { return playOut() }
  }

  private func successor() -> QueuedStation? {
    lineup.successor(stopsAfterList: listPosition != nil && !policy.goesOnAfterLists)
  }

  /// Tells the radio what comes after a file, so that it comes in the same breath.
  private func arrangeFollower() {
    let next = successor()
    if tuned.follow(next?.id) { engine.follower = next?.request }
  }

  /// What was to follow is heard.
  private func goOver() {
    guard let next = tuned.followerID, queue[id: next] != nil else { return }
    lineup.leaveCurrent()
    lineup.makeCurrent(next)
    tuned.goOver(to: next)
    position.forgetWish()
    touchTuned()
  }

  private func playOut() {
    tuned.playOut()
    changes.insert(.player)
  }

  // MARK: What is told of it

  /// The station that was tuned to last: what the radio tells is about it.
  public var tunedID: Int? { tuned.id }
  /// What that station is, once it is decoded.
  public var info: StationInfo? { tuned.info }
  /// Whether what was to be played came to its end by itself, and nothing follows.
  public var hasPlayedOut: Bool { tuned.hasPlayedOut }
  /// Records what is played.
  public var recorder: any RecordingEngine { engine }
  /// Tells how the sound is.
  public var meter: any SoundMeter { engine }
  /// What the radio does.
  public var state: RadioState { engine.state }
  /// The radio at this moment.
  public var status: RadioStatus { engine.status }
  /// The fault that keeps the station from coming; nil while none does.
  var fault: PlaybackFault? { engine.fault }
  /// The last failure as a sentence; until something plays again.
  public var failure: String? { tuned.failure }
  /// What is wrong now, as a sentence: with the sound device or a pipe's reader, or else the last failure.
  public var trouble: String? { engine.soundProblem ?? failure }
  /// The run in figures so far.
  var statistics: PlayerStatistics { PlayerStatistics(engine) }

  /// The stations that clients lined up.
  public var queue: StationQueue { lineup.queue }
  /// The stations that the owner keeps; set by `take`.
  public var presets: PresetList { lineup.presets }
  /// The place of the preset that is current; nil where what is current is none.
  public var presetPlace: Int? { lineup.presetPlace }
  /// How the queue goes on; set by `choose`.
  public var options: PlayOptions { lineup.options }
  /// The station that plays, or would; it may have left the queue.
  var currentID: Int? { lineup.currentID }
  /// The station that plays, or would; nil where none does, or where it has left the queue.
  public var current: QueuedStation? { lineup.current }

  /// The station that `next` leads to; while a podcast or a list of files is heard, that is itself up to its last item,
  /// and after the last item none, unless the queue goes on after lists.
  public var following: QueuedStation? {
    guard stepsItems, let place = listPosition else { return lineup.upcoming() }
    if !place.isLast { return current }
    return policy.goesOnAfterLists ? lineup.upcoming() : nil
  }

  /// Whether `next` and `previous` go through the items of what is heard, which is a podcast or a list of files (B1).
  public var stepsItems: Bool { state != .stopped && listPosition != nil }

  private var listPosition: ListPosition? { ListPosition(engine) }

  /// Forgets the last failure.
  func clearFailure() {
    if failure != nil { changes.insert(.player) }
    tuned.forgetFailure()
  }

  // MARK: Playing

  /// Plays the station at a position; false where there is none.
  @discardableResult
  public func play(_ position: Int) -> Bool { queue[position].map { play(id: $0.id) } ?? false }

  /// Plays a station from its beginning, or from live; false where it is not in the queue.
  @discardableResult
  public func play(id: Int) -> Bool {
    guard begin(id: id) else { return false }
    unheard = UnheardRun()
    choices &+= 1
    return true
  }

  /// Plays a station again that was given up, without anybody's choice: what `play` begins with stays. It `isPaused`
  /// where the listener wanted it so. False where it has left the queue.
  @discardableResult
  public func retry(id: Int, isPaused: Bool) -> Bool {
    let selected = lineup.selectedID
    guard begin(id: id) else { return false }
    if let selected { _ = lineup.select(selected, isStopped: false) }
    if isPaused { pause() }
    return true
  }

  /// Plays a station that was chosen, or whose turn it is.
  private func begin(id: Int) -> Bool {
    guard let station = queue[id: id] else { return false }
    lineup.makeCurrent(id)
    tuned.begin(id)
    position.forgetWish()
    changes.insert(.player)
    engine.tune(station.request)
    return true
  }

  /// Goes on after a pause; else plays what was selected, what is current, or the first. False where there is nothing.
  @discardableResult
  public func play() -> Bool {
    if let selected = lineup.selectedID { return play(id: selected) }
    if state == .paused {
      resume()
      return true
    }
    if state != .stopped { return true }
    if let current { return play(id: current.id) }
    return lineup.id(1).map { play(id: $0) } ?? false
  }

  /// Falls silent where it is; a live station goes on being received.
  public func pause() {
    if state == .stopped { stopCount &+= 1 }
    order { $0.pause(.user) }
  }

  /// Goes on where it paused.
  public func resume() { order { $0.resume() } }

  /// Falls silent and disconnects; the current station stays current.
  public func stop() {
    stopCount &+= 1
    tuned.stop()
    order { $0.stop(.user) }
  }

  private func order(_ work: (any PlaybackEngine) -> Void) {
    work(engine)
    changes.insert(.player)
  }

  /// Pauses or goes on; plays where it was stopped. False where there is nothing to play.
  @discardableResult
  public func toggle() -> Bool {
    guard state != .stopped, state != .paused else { return play() }
    pause()
    return true
  }

  /// Plays the next station, or the next item of the podcast or list that is heard; where there is none it stops,
  /// unless it `wraps` around the queue. False where it stopped.
  @discardableResult
  public func next(wraps: Bool = false) -> Bool {
    guard stepsItems, let place = listPosition else { return step(1, wraps: wraps) }
    if playItem(place.item + 1) { return true }
    if policy.goesOnAfterLists { return step(1, wraps: wraps) }
    stop()
    return false
  }

  /// Plays the previous station, or the previous item of the podcast or list that is heard; the first again where there
  /// is none, unless it `wraps` around the queue. False where the queue is empty.
  @discardableResult
  public func previous(wraps: Bool = false) -> Bool {
    if stepsItems, let place = listPosition { return playItem(max(0, place.item - 1)) }
    return step(-1, wraps: wraps) || current.map { play(id: $0.id) } ?? false
  }

  /// Plays an item of the list that is heard, such as an episode, counted from 0; false where there is none.
  @discardableResult
  public func playItem(_ number: Int) -> Bool {
    guard engine.playItem(number) else { return false }
    tuned.beginItem()
    position.forgetWish()
    choices &+= 1
    changes.insert(.player)
    return true
  }

  private func step(_ step: Int, wraps: Bool) -> Bool {
    let left = currentID
    let target = lineup.id(step, wraps: wraps)
    if options.consumes, step > 0, let left, left != target { lineup.remove(left) }
    if let target, play(id: target) { return true }
    if step > 0 { stop() }
    return false
  }

  /// Asks for the titles beside the stream, or does not any more; false where there are none.
  func asksForTitles(_ isWanted: Bool) -> Bool { isWanted ? engine.beginNowPlaying() : engine.endNowPlaying() }

  /// Plays a station of the queue from a moment on, where it is a file; false where it is not in the queue.
  @discardableResult
  public func seek(id: Int, to seconds: Double) -> Bool {
    if id == tunedID, id == currentID, state != .stopped { return position.seek(to: seconds) }
    guard play(id: id) else { return false }
    position.seekOncePlaying(to: seconds)
    return true
  }

  // MARK: Choosing

  /// Plays an address; one that is not in the queue is added to its end. False where the queue is full.
  @discardableResult
  public func tune(_ request: StationRequest, name: String = "") -> Bool {
    lineup.entry(for: request, name: name).map { play(id: $0) } ?? false
  }

  /// Plays the preset at a place from 0; one that is not in the queue is added to its end. False where there is none,
  /// or where the queue is full.
  @discardableResult
  public func playPreset(_ place: Int) -> Bool { lineup.entry(ofPreset: place).map { play(id: $0) } ?? false }

  /// Chooses what `play` begins with; what is heard goes on (R1.6). False where the queue is full.
  @discardableResult
  public func select(_ request: StationRequest, name: String = "") -> Bool {
    lineup.entry(for: request, name: name).map { select(id: $0) } ?? false
  }

  /// The same for the preset at a place. False as for `playPreset`.
  @discardableResult
  public func selectPreset(_ place: Int) -> Bool { lineup.entry(ofPreset: place).map { select(id: $0) } ?? false }

  /// The same for a station of the queue; false where it is not there.
  @discardableResult
  public func select(id: Int) -> Bool {
    guard lineup.select(id, isStopped: state == .stopped) else { return false }
    changes.insert(.player)
    return true
  }

  /// Chooses how the queue goes on.
  public func choose(_ options: PlayOptions) { lineup.choose(options) }

  /// Goes on by itself as a policy says.
  public func adopt(_ policy: PlayerPolicy) { self.policy = policy }

  /// Takes other presets; stations of the queue that are presets are tuned to as these say from now on.
  public func take(_ presets: PresetList) { lineup.take(presets) }

  // MARK: The queue

  /// Adds a station, at the end or before the one at a position: its id, or nil where the queue is full or there is no
  /// such position.
  @discardableResult
  public func add(_ request: StationRequest, name: String = "", at position: Int? = nil) -> Int? {
    lineup.add(request, name: name, at: position)
  }

  /// Removes stations; where the one that plays is among them the next is played, or it stops. False where there are
  /// none at these positions.
  @discardableResult
  public func delete(_ positions: Range<Int>) -> Bool {
    switch lineup.delete(positions) {
    case .none: return false
    case .others: return true
    case .current(let next):
      replaceCurrent(next)
      return true
    }
  }

  private func replaceCurrent(_ next: Int?) {
    let state = state
    lineup.stand(at: nil)
    if state == .stopped { return stopCount &+= 1 }
    if state != .paused, let next, play(id: next) { return }
    stop()
    lineup.stand(at: next)
  }

  /// Removes all stations, and stops.
  public func clear() {
    if state == .stopped { stopCount &+= 1 } else { stop() }
    lineup.clear()
  }

  /// Makes the queue hold these stations; the one that plays stays in it as long as it plays.
  public func fill(with stations: [Preset]) { lineup.fill(with: stations) }

  /// Changes the queue otherwise, by what leaves the current station where it is; what that gives.
  @discardableResult
  func edit<Result>(_ work: (inout StationQueue) -> Result) -> Result { lineup.edit(work) }

  /// What clients know a preset by, MPD's `file`.
  func file(of preset: Preset) -> String { lineup.file(of: preset) }
}

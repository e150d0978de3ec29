import Network
import PanelWords
import RadioEngine
import Recordings

/// The radio for its users: a queue of stations, volume, options, and the last failure. Control thread only. The owner
/// passes every event of the radio to `handle`, and then calls `settle`.
public final class PlayerController {
  /// The listener's position, and seeking.
  public let position: PositionControl
  /// Releases the sound device for other programs.
  public let device: DeviceControl
  /// Plays a fallback while the station is silent.
  public let fallback: FallbackPlayer
  /// The volume.
  public let volume = VolumeControl()
  /// The rules for playback after a failure or a list; set by `adopt`.
  public private(set) var policy = PlayerPolicy()
  /// Receives the changes, once per `settle`.
  public var onChange: (Set<Subsystem>) -> Void = { _ in }

  /// Number of times a person or a client chose a station or an item. Stations that follow automatically do not count.
  public private(set) var choices = 0
  /// The last order about playback. A retry, a failure and a lease leave it; the end of the last file ends it.
  public private(set) var intent = PlaybackIntent.playing

  private let engine: any PlaybackEngine & RecordingEngine & SoundMeter
  private var lineup = PlayQueue()
  private var changes: Set<Subsystem> = []
  private var tuned = TunedStation()
  private var unheard = UnheardRun()
  /// The station and the version of the queue for which stations are received in advance.
  private var prefetched: (id: Int?, version: Int) = (nil, 0)
  /// True while a station is received for an alarm.
  private var isReceivingInAdvance = false
  /// Time in seconds from which the next song can be saved.
  private var nextKeep = 0.0
  private var refusals = RefusalPace()

  /// Creates a player with an empty queue for a radio.
  public init(_ radio: any PlaybackEngine & RecordingEngine & SoundMeter) {
    (engine, fallback) = (radio, FallbackPlayer(radio))
    (position, device) = (PositionControl(radio), DeviceControl(radio))
  }

  // MARK: Events

  /// Processes an event of the radio.
  public func handle(_ event: Event) {
    tuned.handle(event, engine)
    fallback.recordFault()
    switch event {
    case .deviceLost, .deviceBack: changes.insert(.output)
    case .playing: unheard.sounds()
    case .metadataChanged: touchTuned()
    case .itemBegan: changes.insert(.playlist)
    case .followed: goOver()
    case .stationInfo(let info): learn(info)
    case .failedOver, .cameBack, .deadAir:
      touchTuned()
      prefetched = (nil, 0)
    case .metadataReceived, .underrun, .stitched, .summary: return
    default: break
    }
    changes.insert(.player)
  }

  /// Continues after the end of a station, and reports changes.
  public func settle() {
    if let reason = tuned.removeEnding(), state == .stopped, !fallback.claims(reason, isWanted: isPlayWanted) {
      advance(after: reason)
    }
    fallback.update(isWanted: isPlayWanted, isMuted: volume.isMuted)
    position.settle()
    if state != .stopped { arrangeFollower() }
    arrangePrefetch()
    let told = [lineup.removeChanges(), position.removeChanges(), volume.removeChanges(), device.removeChanges()]
      .reduce(changes) { $0.union($1) }
    changes = []
    if !told.isEmpty { onChange(told) }
  }

  /// Stores the station's own name in the queue if the entry has no name. Ignores names of files, because a list may
  /// have named them.
  private func learn(_ info: StationInfo) {
    if info.facts.isLive, !fallback.isAway, let tunedID, let name = info.facts.name,
      queue[id: tunedID]?.name.isEmpty == true
    {
      edit { $0.rename(id: tunedID, name) }
    }
    touchTuned()
  }

  private func touchTuned() { if let tunedID { lineup.touch(tunedID) } }

  private func advance(after reason: Event.StopReason) {
    if reason == .error, !policy.skipsFailures || engine.isSinkLost { return playOut(after: reason) }
    unheard.ends()
    let next = unheard.count >= max(1, queue.count) ? nil : successor()
    lineup.leaveCurrent()
    guard let next, begin(id: next.id) else { return playOut(after: reason) }
  }

  private func successor() -> QueuedStation? {
    if policy.areAlternatives, !options.repeats { return nil }
    return lineup.successor(stopsAfterList: listPosition != nil && !policy.continuesAfterLists)
  }

  /// Passes the next request to the radio, so that it follows without a gap.
  private func arrangeFollower() {
    let next = fallback.isAway ? nil : successor()
    if tuned.follow(next?.id) { engine.follower = next?.request }
  }

  /// Passes the stations next to the current one to the radio, which receives them in advance (B5).
  private func arrangePrefetch() {
    guard policy.prefetchCount > 0, !fallback.isReceiving, !isReceivingInAdvance,
      prefetched.id != tunedID || prefetched.version != queue.listVersion
    else { return }
    prefetched = (tunedID, queue.listVersion)
    let next = tunedID.map { queue.neighbours(of: $0, count: policy.prefetchCount) } ?? []
    let requests = next.map(\.request).filter { $0.url != current?.request.url }
    engine.prefetch(PrefetchRule(requests, maxBytesPerHour: policy.maxPrefetchBytes))
  }

  /// Makes the following station current, because it is now audible.
  private func goOver() {
    guard let next = tuned.followerID, queue[id: next] != nil else { return }
    lineup.leaveCurrent()
    lineup.makeCurrent(next)
    tuned.goOver(to: next)
    if let station = queue[id: next] { fallback.begin(station) }
    position.forgetWish()
    touchTuned()
  }

  private func playOut(after reason: Event.StopReason) {
    if reason != .error { silence(.stopped) }
    tuned.playOut()
    changes.insert(.player)
  }

  // MARK: State

  /// The id of the station tuned last; the radio reports its state.
  public var tunedID: Int? { tuned.id }
  /// The facts of the station tuned last; nil until they are decoded.
  public var info: StationInfo? { tuned.info }
  /// True if playback ended without a command, and no station follows.
  public var hasPlayedOut: Bool { tuned.hasPlayedOut }

  /// Saves the audible song or the previous one, at most one song in 10 s: a client's button may be pressed by a
  /// program. Throws as `RecordingEngine.keep` does, or if the last song was saved less than 10 s ago.
  public func keep(_ which: Radio.Song) throws(RecordingError) -> KeptSong {
    let wait = (nextKeep - engine.time).rounded(.up)
    if wait > 0 { throw .tooSoon(seconds: Int(wait)) }
    do throws(RecordingError) {
      let song = try engine.keep(which)
      nextKeep = engine.time + Self.keepInterval
      return song
    } catch {
      // An attempt that failed at the disk counts too.
      if !RecordingError.withoutSong.contains(error) { nextKeep = engine.time + Self.keepInterval }
      throw error
    }
  }

  private static let keepInterval = 10.0

  /// Starts a recording. Throws as `RecordingEngine.record` does, or after too many refused starts in a row: each start
  /// waits for the disk, and a program may repeat it in a loop.
  public func record(_ order: RecordingOrder) throws(RecordingError) {
    if let wait = refusals.wait(at: engine.time) { throw .tooManyRefusals(seconds: wait) }
    do throws(RecordingError) { try engine.record(order) } catch {
      // These attempts do not use the disk.
      if ![.busy, .nothing].contains(error) { refusals.record(at: engine.time) }
      throw error
    }
    refusals = RefusalPace()
  }

  /// The radio's recording functions.
  public var recorder: any RecordingEngine { engine }
  /// The radio's level meters.
  public var meter: any SoundMeter { engine }
  /// The state of the radio.
  public var state: RadioState { engine.state }
  /// The status of the radio.
  public var status: RadioStatus { engine.status }
  /// True if a failure ended playback against the owner's intent; a box then retries the station.
  var hasGivenUp: Bool { state == .stopped && intent.allowsRetry && tunedID != nil }
  var fault: PlaybackFault? { engine.fault }
  /// The last failure as a sentence, until the next playback.
  public var failure: String? { tuned.failure }
  /// The current problem as a sentence: a problem of the sound device or of a pipe's reader, or else the last failure.
  public var trouble: String? { engine.soundProblem ?? failure }
  var statistics: PlayerStatistics { PlayerStatistics(engine) }

  /// The queue of stations.
  public var queue: StationQueue { lineup.queue }
  /// The owner's presets; set by `setPresets`.
  public var presets: PresetList { lineup.presets }
  /// The position of the current preset; nil if the station is not a preset.
  public var presetPlace: Int? { lineup.presetPlace }
  /// The options of the queue; set by `choose`.
  public var options: PlayOptions { lineup.options }
  var currentID: Int? { lineup.currentID }
  /// The current station; nil without a station in the queue.
  public var current: QueuedStation? { lineup.current }

  /// The station of the order `next`. In a podcast or list, the current station; at its last item, the queue's next
  /// station or nil, by `policy`.
  public var following: QueuedStation? {
    guard stepsItems, let place = listPosition else { return upcoming }
    if !place.isLast { return current }
    return policy.continuesAfterLists ? upcoming : nil
  }

  private var upcoming: QueuedStation? {
    let next = lineup.upcoming(wraps: policy.areAlternatives)
    return policy.areAlternatives && next?.id == currentID ? nil : next
  }

  /// True if `next` and `previous` move between the items of a podcast or a list of files (B1).
  public var stepsItems: Bool { state != .stopped && !fallback.isAway && listPosition != nil }

  private var listPosition: ListPosition? { ListPosition(engine) }

  func clearFailure() {
    if failure != nil { changes.insert(.player) }
    tuned.forgetFailure()
  }

  // MARK: Playback

  /// Plays the station at a position; false if out of range.
  @discardableResult
  public func play(_ position: Int) -> Bool { queue[position].map { play(id: $0.id) } ?? false }

  /// Plays a station from its beginning, or live; false if it is not in the queue.
  @discardableResult
  public func play(id: Int) -> Bool {
    guard begin(id: id) else { return false }
    unheard = UnheardRun()
    choices &+= 1
    intent = .playing
    return true
  }

  /// Retries a station after the radio gave up; the selected station stays selected. `isPaused`: true to pause it at
  /// once. Returns false if it left the queue.
  @discardableResult
  public func retry(id: Int, isPaused: Bool) -> Bool {
    let selected = lineup.selectedID
    guard begin(id: id) else { return false }
    if let selected { _ = lineup.select(selected, isStopped: false) }
    if isPaused { pause() }
    return true
  }

  private func begin(id: Int) -> Bool {
    guard let station = queue[id: id] else { return false }
    lineup.makeCurrent(id)
    tuned.begin(id)
    position.forgetWish()
    changes.insert(.player)
    fallback.begin(station)
    engine.tune(station.request)
    return true
  }

  /// Plays the selected station. Otherwise resumes, or plays the current or first station. Returns false if the queue
  /// is empty.
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

  /// Pauses at the current position; the radio continues to receive a live station. Cancels the retry of a stopped
  /// station.
  public func pause() {
    if state == .stopped { silence(.stopped) } else { intent = .paused }
    order { $0.pause(.user) }
  }

  /// Resumes after a pause.
  public func resume() {
    if state != .stopped { intent = .playing }
    order { $0.resume() }
  }

  /// Stops and disconnects; the current station does not change. Cancels the retry of a stopped station.
  public func stop() { end(.stopped) }

  /// Stops as `stop` does. Only an order to play ends standby.
  public func enterStandby() { end(.standby) }

  private func end(_ intent: PlaybackIntent) {
    silence(intent)
    tuned.stop()
    order { $0.stop(.user) }
  }

  /// Sets the intent of a silent radio. Standby also remains after a stop.
  private func silence(_ intent: PlaybackIntent) { if self.intent != .standby { self.intent = intent } }

  /// True if a fallback replaces the station while it is silent.
  public var isBridged: Bool { fallback.isActive && isPlayWanted }

  /// True if the owner's last order was to play.
  var isPlayWanted: Bool { intent == .playing && tunedID != nil }

  /// Restores the intent of an earlier player, without an order to the radio.
  public func restore(_ intent: PlaybackIntent) { self.intent = intent }

  private func order(_ work: (any PlaybackEngine) -> Void) {
    work(engine)
    changes.insert(.player)
  }

  /// Pauses or resumes; plays if stopped. False if there is nothing to play.
  @discardableResult
  public func toggle() -> Bool {
    // A silent chain may wait for its next round.
    let isWaiting = state == .stopped && fallback.isAway && isPlayWanted
    guard isWaiting || state != .stopped && state != .paused else { return play() }
    pause()
    return true
  }

  /// Plays the next station, or the next item of a podcast or list. At the end it stops, unless `wraps` is true or the
  /// stations are alternatives. Returns false if it stopped.
  @discardableResult
  public func next(wraps: Bool = false) -> Bool {
    guard stepsItems, let place = listPosition else { return step(1, wraps: wraps) }
    if playItem(place.item + 1) { return true }
    if policy.continuesAfterLists { return step(1, wraps: wraps) }
    stop()
    return false
  }

  /// Plays the previous station, or the previous item of a podcast or list. At the start it replays the first, unless
  /// `wraps` is true or the stations are alternatives. Returns false if the queue is empty.
  @discardableResult
  public func previous(wraps: Bool = false) -> Bool {
    if stepsItems, let place = listPosition { return playItem(max(0, place.item - 1)) }
    return step(-1, wraps: wraps) || current.map { play(id: $0.id) } ?? false
  }

  /// Plays an item of the list, such as an episode, from 0; false if out of range.
  @discardableResult
  public func playItem(_ number: Int) -> Bool {
    guard engine.playItem(number) else { return false }
    tuned.beginItem()
    position.forgetWish()
    choices &+= 1
    intent = .playing
    changes.insert(.player)
    return true
  }

  private func step(_ step: Int, wraps: Bool) -> Bool {
    let left = currentID
    let target = lineup.id(step, wraps: wraps || policy.areAlternatives)
    if options.consumes, step > 0, let left, left != target { lineup.remove(left) }
    if let target, play(id: target) { return true }
    if step > 0 { stop() }
    return false
  }

  func asksForTitles(_ isWanted: Bool) -> Bool { isWanted ? engine.beginNowPlaying() : engine.endNowPlaying() }

  /// Plays a station of the queue; a file starts at a position in seconds. Returns false if it is not in the queue.
  @discardableResult
  public func seek(id: Int, to seconds: Double) -> Bool {
    if id == tunedID, id == currentID, state != .stopped { return position.seek(to: seconds) }
    guard play(id: id) else { return false }
    position.seekOncePlaying(to: seconds)
    return true
  }

  // MARK: Alarms

  /// Receives a station in advance, for an alarm; nil to end the reception.
  public func receiveInAdvance(_ request: StationRequest?) {
    guard !fallback.isReceiving, request != nil || isReceivingInAdvance else { return }
    isReceivingInAdvance = request != nil
    engine.prefetch(PrefetchRule(firstChoice: request))
    prefetched = (nil, 0)
  }

  /// Starts or stops the tone of an alarm, which replaces the tone of a fallback.
  public func playAlarmTone(_ isOn: Bool) { engine.playAlarmTone(isOn) }

  /// Ends a programme without an order of the owner, as after a fault.
  public func dropProgramme() { engine.stop(.error) }

  /// True if the sound device exists, and no other program uses it.
  public var hasDevice: Bool { !engine.isDeviceMissing && !engine.isSinkLost && !engine.isSuspended }

  /// True while audio of a programme is rendered, of any level.
  public var isAudible: Bool { engine.state == .playing && engine.isAudioPlaying }

  // MARK: Selection

  /// Plays the station with an address; adds it to the end of the queue if missing. Returns false if the queue is full.
  @discardableResult
  public func tune(_ request: StationRequest, name: String = "") -> Bool {
    lineup.entry(for: request, name: name).map { play(id: $0) } ?? false
  }

  /// Plays the preset at a position from 0; adds it to the queue if missing. Returns false if it does not exist, or if
  /// the queue is full.
  @discardableResult
  public func playPreset(_ place: Int) -> Bool { lineup.entry(ofPreset: place).map { play(id: $0) } ?? false }

  /// Returns the id of a station in the queue; adds a missing station. Nil if the queue is full.
  func entry(for request: StationRequest, name: String) -> Int? { lineup.entry(for: request, name: name) }

  /// Returns the id of the preset at a position from 0, as `entry(for:name:)` does.
  func entry(ofPreset place: Int) -> Int? { lineup.entry(ofPreset: place) }

  /// Selects the preset at a position from 0. Returns false as `playPreset` does.
  @discardableResult
  public func selectPreset(_ place: Int) -> Bool { lineup.entry(ofPreset: place).map { select(id: $0) } ?? false }

  /// Selects a station of the queue; false if unknown.
  @discardableResult
  public func select(id: Int) -> Bool {
    guard lineup.select(id, isStopped: state == .stopped) else { return false }
    changes.insert(.player)
    return true
  }

  /// Sets the options of the queue.
  public func choose(_ options: PlayOptions) { lineup.choose(options) }

  /// Sets the rules for playback after a failure or a list.
  public func adopt(_ policy: PlayerPolicy) { self.policy = policy }

  /// Replaces the presets. Queued stations with the name and address of a preset use its new settings.
  public func setPresets(_ presets: PresetList) { lineup.setPresets(presets) }

  // MARK: The queue

  /// Adds a station at the end or at a position. Returns its id; nil if the queue is full or the position is invalid.
  @discardableResult
  public func add(_ request: StationRequest, name: String = "", at position: Int? = nil) -> Int? {
    lineup.add(request, name: name, at: position)
  }

  /// Removes stations. If the current station is removed, plays the next or stops. Returns false if the positions are
  /// invalid.
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
    if state == .stopped { return silence(.stopped) }
    if state != .paused, let next, play(id: next) { return }
    stop()
    lineup.stand(at: next)
  }

  /// Removes all stations, and stops.
  public func clear() {
    if state == .stopped { silence(.stopped) } else { stop() }
    lineup.clear()
  }

  /// Replaces the stations; the current station stays in the queue.
  public func fill(with stations: [Preset]) { lineup.fill(with: stations) }

  @discardableResult
  func edit<Result>(_ work: (inout StationQueue) -> Result) -> Result { lineup.edit(work) }
}

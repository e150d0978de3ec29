import Network
import Radio

/// The radio as those who use it see it: a queue of stations, one of them current, a volume, options, the last failure.
///
/// The protocol, the front panel and the saved state act on it. The control thread's, which hands it every event of the
/// radio (`handle`) and calls `settle` once after each of the radio's steps.
public final class PlayerController {
  /// The radio.
  public let radio: Radio
  /// The stations that clients lined up.
  public internal(set) var queue = StationQueue()
  /// The stations that the owner keeps; set by `take`.
  public internal(set) var presets = PresetList()
  /// The station that plays, or would; it may have left the queue.
  public internal(set) var currentID: Int?
  /// The station that was tuned to last: what the radio tells is about it.
  public private(set) var tunedID: Int?
  /// What that station is, once it is decoded.
  public private(set) var info: StationInfo?
  /// What `play` begins with, where it was chosen without being started (R1.6).
  public internal(set) var selectedID: Int?
  /// How the queue goes on; set by `choose`.
  public internal(set) var options = PlayOptions()
  /// 0 … 100, as it was set; nothing is heard of it where `isMuted`.
  public internal(set) var volume = 100
  /// Whether the sound is turned off.
  public internal(set) var isMuted = false
  /// The last failure as a sentence; until something plays again.
  public internal(set) var failure: String?
  /// What is wrong now, as a sentence: with the sound device or a pipe's reader, or else the last failure.
  public var trouble: String? { radio.sinkTrouble?.description ?? failure }
  /// Whether what was to be played came to its end by itself, and nothing follows.
  public internal(set) var hasPlayedOut = false
  /// Whether a station that fails is followed by the next, rather than kept to be tried again.
  public var skipsFailures = false
  /// Whether the queue goes on after the last item of a podcast or a list of files. Else the radio stops there: who
  /// listened to a podcast did not ask for the station that stands behind it in the queue.
  public var goesOnAfterLists = false

  /// Grows each time that somebody chooses what is played, a station or an item of a list; what comes after another
  /// by itself does not count.
  public private(set) var choices = 0

  /// Makes the sound so loud, 0 … 100 and whether it is muted: a mixer's or the radio's own gain; nil: nobody can.
  public var setVolume: ((_ percent: Int, _ isMuted: Bool) -> Void)?
  /// Makes everything louder or quieter, in dB; nil: nobody can.
  public var setGain: ((_ decibels: Double) -> Void)?
  /// Hears what changed, once for each `settle`.
  public var onChange: (Set<Subsystem>) -> Void = { _ in }

  var changes: Set<Subsystem> = []
  var order = PlayOrder()
  private var ending: Event.StopReason?
  /// What the radio was told to go on with.
  private var followerID: Int?
  /// Where a file that was not played yet is to be heard from, in seconds.
  var wish: Double?

  /// A player over a radio; its queue is empty.
  public init(_ radio: Radio) { self.radio = radio }

  // MARK: What the radio tells

  /// Hears an event of the radio.
  public func handle(_ event: Event) {
    switch event {
    case .missingContent(_, let message), .badContent(_, let message), .urlNotFound(_, let message),
      .timeoutExceeded(_, let message), .noNetwork(_, let message):
      failure = message
    case .httpError(let code, let url): failure = radio.trouble?.message ?? "\(url) answered \(code)."
    case .deviceLost(_, let message):
      if radio.deviceFailure == nil { failure = message }
      changes.insert(.output)
    case .deviceBack: changes.insert(.output)
    case .playing: failure = nil
    case .metadataChanged: touchTuned()
    case .itemBegan: changes.insert(.playlist)
    case .followed: goOver()
    case .stationInfo(let info): learn(info)
    case .stopped(let reason): ending = reason == .end || reason == .error ? reason : nil
    case .metadataReceived, .underrun, .stitched, .summary: return
    default: break
    }
    changes.insert(.player)
  }

  /// Goes on after what ended, and tells what changed.
  public func settle() {
    if let reason = ending {
      ending = nil
      if radio.state == .stopped { goOn(after: reason) }
    }
    if let seconds = wish, radio.state == .playing {
      wish = nil
      seek(to: seconds)
    }
    if radio.state != .stopped { arrangeFollower() }
    guard !changes.isEmpty else { return }
    let told = changes
    changes = []
    onChange(told)
  }

  /// A station without a name gets the one that it tells. What a list calls one of its files is not the list's name.
  private func learn(_ info: StationInfo) {
    self.info = info
    if info.facts.isLive, let tunedID, let name = info.facts.name, queue[id: tunedID]?.name.isEmpty == true {
      queue.rename(id: tunedID, name)
    }
    touchTuned()
  }

  /// What is known of the tuned station changed.
  private func touchTuned() {
    guard let tunedID, queue[id: tunedID] != nil else { return }
    queue.touch(id: tunedID)
    changes.insert(.playlist)
  }

  private func goOn(after reason: Event.StopReason) {
    if reason == .error, !skipsFailures || radio.sinkFailure != nil { return playOut() }
    let next = successor
    leaveCurrent()
    guard let next, begin(id: next.id) else { return playOut() }
  }

  /// What comes when the current station ends by itself.
  private var successor: QueuedStation? {
    if options.single != .off, !options.repeats || options.consumes { return nil }
    if options.single == .off, itemPlace != nil, !goesOnAfterLists { return nil }
    return options.consumes && upcoming?.id == currentID ? nil : upcoming
  }

  /// The current station is played, and what that does to the options and the queue.
  private func leaveCurrent() {
    if options.single == .oneshot {
      options.single = .off
      changes.insert(.options)
    }
    if options.consumes, let currentID { remove(currentID) }
  }

  /// Tells the radio what comes after a file, so that it comes in the same breath.
  private func arrangeFollower() {
    let next = successor
    guard next?.id != followerID else { return }
    followerID = next?.id
    radio.follower = next?.request
  }

  /// What was to follow is heard.
  private func goOver() {
    guard let next = followerID, queue[id: next] != nil else { return }
    leaveCurrent()
    (currentID, tunedID, selectedID, followerID) = (next, next, nil, nil)
    (failure, info, wish) = (nil, nil, nil)
    touchTuned()
  }

  private func playOut() {
    hasPlayedOut = true
    changes.insert(.player)
  }

  // MARK: Playing

  /// The station that plays, or would; nil where none does, or where it has left the queue.
  public var current: QueuedStation? { currentID.flatMap { queue[id: $0] } }

  /// The station that comes after the current one.
  public var upcoming: QueuedStation? {
    if options.single != .off, options.repeats, !options.consumes { return current }
    return id(1).flatMap { queue[id: $0] }
  }

  /// The station that `next` leads to; while a podcast or a list of files is heard, that is itself up to its last item,
  /// and after the last item none, unless the queue goes on after lists.
  public var following: QueuedStation? {
    guard stepsItems, let item = itemPlace, let count = radio.list?.items.count else { return upcoming }
    if item + 1 < count { return current }
    return goesOnAfterLists ? upcoming : nil
  }

  /// Plays the station at a position; false where there is none.
  @discardableResult
  public func play(_ position: Int) -> Bool { queue[position].map { play(id: $0.id) } ?? false }

  /// Plays a station from its beginning, or from live; false where it is not in the queue.
  @discardableResult
  public func play(id: Int) -> Bool {
    guard begin(id: id) else { return false }
    choices &+= 1
    return true
  }

  /// Plays a station that was chosen, or whose turn it is.
  private func begin(id: Int) -> Bool {
    guard let station = queue[id: id] else { return false }
    (currentID, tunedID, selectedID) = (id, id, nil)
    (failure, info, ending, wish) = (nil, nil, nil, nil)
    followerID = nil
    hasPlayedOut = false
    changes.insert(.player)
    radio.tune(station.request)
    return true
  }

  /// Goes on after a pause; else plays what was selected, what is current, or the first. False where there is nothing.
  @discardableResult
  public func play() -> Bool {
    if let selectedID { return play(id: selectedID) }
    if radio.state == .paused {
      resume()
      return true
    }
    if radio.state != .stopped { return true }
    if let current { return play(id: current.id) }
    return id(1).map { play(id: $0) } ?? false
  }

  /// Falls silent where it is; a live station goes on being received.
  public func pause() {
    radio.pause()
    changes.insert(.player)
  }

  /// Goes on where it paused.
  public func resume() {
    radio.resume()
    changes.insert(.player)
  }

  /// Lets go of the sound device until `endSuspension` (`Radio.suspend`), as soon as it has played what it has.
  public func suspend() {
    radio.suspend()
    changes.insert(.player)
  }

  /// Takes it again, and goes on with what played.
  public func endSuspension() {
    radio.endSuspension()
    changes.insert(.player)
  }

  /// Pauses or goes on; plays where it was stopped. False where there is nothing to play.
  @discardableResult
  public func toggle() -> Bool {
    guard radio.state != .stopped, radio.state != .paused else { return play() }
    pause()
    return true
  }

  /// Falls silent and disconnects; the current station stays current.
  public func stop() {
    ending = nil
    radio.stop()
    changes.insert(.player)
  }

  /// Plays the next station, or the next item of the podcast or list that is heard; where there is none it stops,
  /// unless it `wraps` around the queue. False where it stopped.
  @discardableResult
  public func next(wraps: Bool = false) -> Bool {
    guard stepsItems, let item = itemPlace else { return step(1, wraps: wraps) }
    if playItem(item + 1) { return true }
    if goesOnAfterLists { return step(1, wraps: wraps) }
    stop()
    return false
  }

  /// Plays the previous station, or the previous item of the podcast or list that is heard; the first again where there
  /// is none, unless it `wraps` around the queue. False where the queue is empty.
  @discardableResult
  public func previous(wraps: Bool = false) -> Bool {
    if stepsItems, let item = itemPlace { return playItem(max(0, item - 1)) }
    return step(-1, wraps: wraps) || current.map { play(id: $0.id) } ?? false
  }

  /// Whether `next` and `previous` go through the items of what is heard, which is a podcast or a list of files (B1).
  public var stepsItems: Bool { radio.state != .stopped && itemPlace != nil }

  /// Which item of a podcast or a list of files was heard last; nil for a station, and for a list of one file, which is
  /// that file.
  private var itemPlace: Int? {
    guard let list = radio.list, list.isFeed || list.items.count > 1 else { return nil }
    return radio.item
  }

  /// Plays an item of the list that is heard, such as an episode, counted from 0; false where there is none.
  @discardableResult
  public func playItem(_ number: Int) -> Bool {
    guard radio.playItem(number) else { return false }
    (failure, ending, wish) = (nil, nil, nil)
    hasPlayedOut = false
    choices &+= 1
    changes.insert(.player)
    return true
  }

  private func step(_ step: Int, wraps: Bool) -> Bool {
    let left = currentID
    let target = id(step, wraps: wraps || options.repeats)
    if options.consumes, step > 0, let left, left != target { remove(left) }
    if let target, play(id: target) { return true }
    if step > 0 { stop() }
    return false
  }

  /// The id so many steps from the current one.
  func id(_ step: Int, wraps: Bool? = nil) -> Int? {
    order.id(step, from: currentID, in: queue, isRandom: options.isRandom, wraps: wraps ?? options.repeats)
  }

  private func remove(_ id: Int) {
    if queue.delete(id: id) { changes.insert(.playlist) }
  }

  // MARK: Tuning

  /// Plays an address; one that is not in the queue is added to its end. False where the queue is full.
  @discardableResult
  public func tune(_ request: StationRequest, name: String = "") -> Bool {
    entry(for: request, name).map { play(id: $0) } ?? false
  }

  /// Chooses what `play` begins with; what is heard goes on (R1.6). False where the queue is full.
  @discardableResult
  public func select(_ request: StationRequest, name: String = "") -> Bool {
    entry(for: request, name).map { select(id: $0) } ?? false
  }

  /// The same for a station of the queue; false where it is not there.
  @discardableResult
  public func select(id: Int) -> Bool {
    guard queue[id: id] != nil else { return false }
    selectedID = id
    if radio.state == .stopped { currentID = id }
    changes.insert(.player)
    return true
  }

  private func entry(for request: StationRequest, _ name: String) -> Int? {
    queue.stations.first { $0.request.url == request.url }?.id ?? add(request, name: name)
  }
}

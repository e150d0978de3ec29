import CLinux
import Control
import Glibc
import Network
import Panel
import RadioEngine
import Recordings
import Settings
import System
import Units

/// The box: creates all parts and runs the control loop. Control thread only. A missing card, display or button is
/// logged and retried; the other parts work meanwhile.
final class Appliance: BoxControls, SettingsClient {
  let presets: PresetController
  let settings: SettingsController
  let relocation: RelocationController
  let rooms: RoomKeeper
  let web: WebKeeper
  let alarms: AlarmKeeper

  private let launch: LaunchOptions
  private let board: Board
  private let signals: Signals
  private let clock: Clock
  private let owner: OwnerKeeper
  private let starts: StartKeeper
  private lazy var reloader = SettingsReloader(launch, settings, presets, owner, for: self)
  /// Descriptors that wake the control thread, apart from the radio's own (`bk_watch`).
  private let watch = bk_watch_open()
  private var service = ServiceManager()
  private var watchdog = Watchdog()

  private let radio = RadioKeeper()
  private let filler: PlayerFiller
  private let fallbacks: FallbackKeeper
  let mover: RelocationPlayer
  private var station = StationWatch()
  private var tunedID: Int?
  /// The control protocol's server; nil if switched off or not available.
  private var control: ControlServer?

  private let home: HomeBridge
  private let mpris: MprisKeeper
  private let hardware: PanelHardware
  private let panel: PanelController
  private let finder: StationFinder
  /// The panel's snapshot; updated in each iteration, and after a command of the panel.
  private var model: PanelModel?
  private var modelTime = MonotonicTime.zero
  private var lastIteration = MonotonicTime.zero
  /// True if the radio has emitted an event since the start of the wait.
  private var hasEvent = false
  private let address: OwnAddress

  private var wall: WallTime
  private var sourceTimes = SourceTimes()
  /// Seconds since 1970 in this iteration; nil if the clock is not set, or probably wrong.
  private var confirmedTime: Int64?
  private let saver: StateSaver
  private var sleepTimer = SleepTimer()
  private var replaced = ReplacedNews()

  /// Maximum age of the panel's snapshot.
  private static let maxModelAge = Duration(milliseconds: 400)
  /// Maximum time between two iterations: a second, as `ControlServer.attend` requires.
  private static let maxPause = Duration(milliseconds: 1_000)

  /// Reads the files, each before the files that depend on it. `run` opens the sound card.
  init(_ launch: LaunchOptions, _ ofFile: Configuration, _ signals: Signals, clock: Clock = .machine) {
    (self.launch, self.signals, self.clock) = (launch, signals, clock)
    owner = OwnerKeeper(folder: ofFile.statePath, clock)
    starts = StartKeeper(folder: ofFile.statePath, owner, clock)
    settings = SettingsController(ofFile, owner)
    let configuration = settings.configuration
    saver = StateSaver(folder: configuration.statePath, clock)
    saver.begin(configuration)
    wall = WallTime(known: saver.state.wallClock, zone: configuration.timezone, clock)
    board = BoardChoice.board(launch, configuration)
    let catalog = PresetCatalog(launch.stationsPath, owner.settings, configuration.buffer)
    presets = PresetController(catalog, owner, configuration.buffer)
    filler = PlayerFiller(presets, settings, folder: configuration.statePath, clock)
    fallbacks = FallbackKeeper(presets, settings)
    finder = StationFinder(configuration, clock) { [watch] in bk_watch(watch, $0, false) }
    let source = DirectorySource { [finder, clock] in finder.state(at: clock.now()) }
    rooms = RoomKeeper(configuration, clock) { [watch] in bk_watch(watch, $0, false) }
    web = WebKeeper(configuration, clock)
    relocation = RelocationController(presets, settings, source, folder: configuration.statePath, clock)
    mover = RelocationPlayer(relocation, presets, filler)
    home = HomeBridge(configuration, board, presets, watch: watch, clock)
    mpris = MprisKeeper(configuration.mpris.bus, watch: watch)
    let terminal = BoardChoice.terminal(for: board)
    signals.isPanelInTerminal = terminal != nil
    hardware = PanelHardware(board, watch: watch, terminal: terminal, clock)
    let shelf = ShelfKeeper(configuration.recording.path) { [watch] in bk_watch(watch, $0, false) }
    panel = PanelController(hardware, PanelSettings(configuration, saver.state), finder, rooms, web, shelf)
    bk_watch(watch, signals.descriptor, false)
    address = OwnAddress { [watch] in bk_watch(watch, $0, false) }
    alarms = AlarmKeeper(owner, presets, settings, handled: saver.state.alarmsHandled)
    sleepTimer.restore(saver.state.sleep, at: clock.now())
    relocation.onMove = { [unowned self] in handleRelocation($0) }
    mover.pending = { [unowned self] in station.attempt.map { $0.isPaused ? .paused : .playing } }
  }

  private var configuration: Configuration { settings.configuration }

  private var now: MonotonicTime { clock.now() }

  // MARK: Control loop

  /// Plays until SIGTERM, or until the panel's terminal is closed. Returns the exit code.
  func run() -> Int32 {
    openSink()
    guard openControl() else {
      end()
      return 2
    }
    service.sendReady()
    announceReplaced()
    fallbacks.logProblems()
    while !signals.isEnding, !hardware.inputs.isTerminalGone {
      if wait() { runIteration() } else { showChanges() }
    }
    end()
    return 0
  }

  private func runIteration() {
    lastIteration = now
    confirmedTime = wall.confirm(by: radio.removeServerTimes(), at: now)
    signals.readPending()
    if signals.consumeReload() { reload() }
    openSink()
    if rooms.updateNews() { control?.notify([.output]) }
    // The server settles the player too.
    if let control { control.attend() } else { radio.tuner?.player.settle() }
    model = nil
    for input in hardware.inputs.poll(at: now) { perform(input) }
    retryAndRelocate()
    if let notice = alarms.update(radio, confirmedTime, wall, at: now) { panel.announceIfFree(notice, at: now) }
    perform(panel.advance(currentModel(), at: now))
    watchUpdate()
    announceReplaced()
    home.publish(currentModel())
    // Each order changes the state that the next one needs.
    for order in home.removeOrders() { perform(home.orders(order, currentModel())) }
    mpris.attend(radio.player, hasPresets: presets.count > 0, at: now) { order in
      perform(PanelOrder.orders(order, currentModel().view))
      guard order.isPosition else { return }
      order.execute(with: radio.player)
      model = nil
    }
    // Clients learn the changes of this iteration now.
    radio.tuner?.player.settle()
    show()
    saveState()
    if watchdog.isAlive(radio.tuner?.radio.heartbeats, at: now) { service.feed(at: now) }
  }

  /// Waits for an event or the next due time, at most 1 s. Returns false if nothing happened and nothing is due, except
  /// perhaps a frame of the display.
  private func wait() -> Bool {
    let due = [
      panel.nextChange, service.feedDue, saver.due, station.due, relocation.due, radio.due,
      sleepTimer.nextChange(at: now), alarms.due(at: now),
      // Without a radio, `saveState` does not write the queue, so its time does not count.
      radio.tuner == nil ? .never : filler.due, lastIteration + Self.maxPause, home.due, mpris.due, starts.due,
    ].reduce(.never, min)
    let patience = max(Duration(milliseconds: 2), min(due, panel.nextFrame) - now)
    let noticeCount = radio.tuner?.radio.noticeCount
    hasEvent = false
    if let radio = radio.tuner?.radio {
      radio.step(patience, watching: watch)
    } else {
      _ = bk_wait_readable(watch, clock.realMilliseconds(patience.milliseconds))
    }
    return hasEvent || noticeCount != radio.tuner?.radio.noticeCount || now >= due || bk_wait_readable(watch, 0) != 0
  }

  /// Shows values that change without an event, such as the buffered seconds.
  private func showChanges() {
    if now >= modelTime + Self.maxModelAge { model = nil }
    show()
  }

  /// Ends all threads, because no thread may run when the program exits.
  private func end() {
    service.sendStopping()
    starts.finish()
    // The threads of panel and `home` may wait for a name server, so both stop early and in parallel.
    panel.stop()
    home.stop()
    // The radio fades out before the files are written.
    let played = radio.close()
    // The net thread may have reported a server's time while it ended.
    saver.save(panel.knobMode, wall: wall.confirm(by: radio.removeServerTimes(), at: now), at: now)
    // Closes the control socket and removes its file.
    control = nil
    saver.finish()
    filler.finish()
    relocation.finish()
    owner.finish()
    panel.finish()
    home.finish()
    Log.flush()
    log(.info, played.line)
  }

  // MARK: The radio

  /// Creates a missing radio, and resumes the last station.
  private func openSink() {
    if radio.endFailed(at: now) {
      station.cancelRetry()
      restoreSilentPlayer()
      control?.context.use(radio.player, absence: radio.absence)
    }
    let made = radio.make(at: now) { () throws(RadioError) in
      guard let output = Tuner.output(configuration, board, launch.output) else { return nil }
      return try Tuner(configuration, board, output, hasFallback: fallbacks.isUsed || !alarms.list.isEmpty, clock)
    }
    if radio.lacksMemory { settings.restoreBlocks() }
    if let made { connect(made) }
  }

  private func connect(_ tuner: Tuner) {
    tuner.radio.onEvent = { [unowned self] event, time in handle(event, at: time) }
    tuner.radio.chooseItem = { [unowned self] in PodcastResume(bookmarks: saver.state.bookmarks).episode(of: $0) }
    tuner.radio.startOfItem = { [unowned self] in PodcastResume(bookmarks: saver.state.bookmarks).start(of: $0) }
    fallbacks.connect(tuner.player)
    tuner.player.onChange = { [unowned self] in control?.notify($0) }
    starts.begin()
    restore(tuner.player)
    control?.context.use(tuner.player)
    if saver.state.intent == .playing {
      filler.playLast(saver.state, tuner.player)
    } else {
      filler.selectLast(saver.state, tuner.player)
    }
  }

  /// Fills the player without a radio, and selects the last station.
  private func restoreSilentPlayer() {
    restore(radio.player)
    filler.selectLast(saver.state, radio.player)
  }

  /// Fills a new player, and restores volume and intent.
  private func restore(_ player: PlayerController) {
    filler.fill(player)
    player.volume.turn(to: saver.state.volume)
    player.volume.mute(saver.state.isMuted)
    // A pause ends with the radio, because its buffer is gone.
    player.restore(saver.state.intent == .paused ? .stopped : saver.state.intent)
  }

  private func handle(_ event: Event, at time: Double) {
    hasEvent = true
    guard let tuner = radio.tuner else { return }
    tuner.player.handle(event)
    control?.publish(event, at: time)
    EventJournal.line(event, isDeviceMissing: tuner.radio.deviceFailure != nil, tuner.player.fallback)?.write()
    switch event {
    case .connecting, .followed: handleTuning(tuner)
    case .deviceBack: tuner.reopenCard()
    case .recordingStopped(_, _, let error?): report(error, .recordingFailed)
    case .songKept(_, _, let error?): report(error, .songNotKept)
    case .seekDone: mpris.seek()
    case .failedOver(_, let name, _, _, _):
      panel.announceIfFree(.failedOver(to: tuner.player.fallback.hasTone ? nil : name), at: now)
    case .cameBack(let name, _, _): panel.announceIfFree(.cameBack(to: name), at: now)
    case .fileComplete: saver.recordEpisode(tuner.radio.status, isHeard: true)
    default: break
    }
    station.process(event, tuner.radio.fault, of: StationWatch.Subject(tuner), at: now)?.write()
    // The preset's health does not depend on its fallback.
    if !tuner.player.fallback.isAway { relocation.process(event, tuner.radio.fault, .init(tuner, wall, at: now)) }
  }

  private func handleTuning(_ tuner: Tuner) {
    let isOther = tuner.player.tunedID != tunedID
    station.recordTuning(isOther: isOther)
    guard isOther else { return }
    tunedID = tuner.player.tunedID
    let url = tunedID.flatMap { tuner.player.queue[id: $0]?.request.url }
    tuner.setStation(gain: url.flatMap { presets.catalog.entry(url: $0, name: nil)?.settings.gain } ?? 0)
  }

  private func retryAndRelocate() {
    let seen = radio.tuner.map { StationWatch.Counters($0) }
    let isClockSet = wall.detectJump()
    if isClockSet { radio.tuner?.player.fallback.hasten() }
    if let attempt = station.removeDueRetry(isClockSet: isClockSet, seen, at: now) {
      if radio.tuner?.player.retry(id: attempt.id, isPaused: attempt.isPaused) != true { station.clearFault() }
    }
    relocation.advance(.init(radio.tuner, wall, at: now))
    if let tuner = radio.tuner { mover.removeFinishedAudition(tuner.player) }
    model = nil
    sleepTimer.update(wall: confirmedTime, isKept: wall.isKept, at: now)
    // A sleep timer does not lower or end an alarm.
    radio.tuner?.fade(to: alarms.isActive ? 0 : sleepTimer.fade(at: now))
    if sleepTimer.consumeEnd(at: now), !alarms.isActive { enterStandby() }
  }

  var sleepMinutes: Int? { sleepTimer.minutesLeft(at: now) }

  func setSleep(minutes: Int?) {
    sleepTimer.set(minutes: minutes, at: now)
    model = nil
    control?.notify([.options])
  }

  private func enterStandby() {
    sleepTimer.set(minutes: nil, at: now)
    radio.player.enterStandby()
    model = nil
  }

  func power(_ isOn: Bool) {
    guard isOn else { return enterStandby() }
    if radio.player.state == .stopped || radio.player.intent == .paused { perform([.playPause]) }
  }

  private var isStandby: Bool { radio.player.intent == .standby }

  // MARK: Stations

  func usePresets() {
    if radio.tuner != nil { filler.recordQueue(radio.player, at: now) }
    filler.refresh(radio.player)
  }

  func savePlaying() throws(ControlRefusal) {
    try presets.save(radio.tuner.flatMap { PresetController.Playing($0.player) })
  }

  /// Handles the new address of a preset. If the preset is tuned, it continues from the new address.
  private func handleRelocation(_ name: String) {
    let next = radio.tuner.flatMap { mover.resumption(of: name, $0.player, station, at: now) }
    usePresets()
    if !isStandby { panel.announceIfFree(.presetRelocated(name: name), at: now) }
    if let next, let player = radio.tuner?.player { mover.play(name, player, next) }
  }

  // MARK: The panel

  private func currentModel() -> PanelModel {
    if let model { return model }
    var box = PanelModel.BoxState(radio.player, presets.catalog, wall.clock, configuration)
    (box.address, box.sleepMinutes) = (address.current, sleepMinutes)
    (box.sinkError, box.stationFault) = (radio.sinkError, station.fault(at: now))
    box.isRetrying =
      station.attempt != nil || radio.tuner == nil && radio.player.intent == .playing || radio.player.isBridged
    sourceTimes.update(radio.player.fallback.report, wall: wall.isSet ? wall.seconds : nil)
    box.sourceTimes = sourceTimes
    box.question = mover.question(radio.tuner?.player, isFailing: box.stationFault != nil)
    let made = PanelModel(box, radio.tuner.map { PanelModel.Playback($0.player) })
    (model, modelTime) = (made, now)
    return made
  }

  private func show() {
    let model = currentModel()
    service.sendStatus(model.serviceStatus)
    panel.show(model, radio.player.meter, at: now)
  }

  private func perform(_ input: PanelInput) {
    if !alarms.answers(input) { perform(panel.handle(input, currentModel(), at: now)) }
  }

  private func perform(_ orders: [PanelOrder]) {
    for order in orders { perform(order) }
    if !orders.isEmpty { model = nil }
  }

  private func perform(_ order: PanelOrder) {
    let player = radio.player
    switch order {
    case .playPause where isStandby || player.current == nil: return filler.playLast(saver.state, player)
    case .sleep(let minutes): setSleep(minutes: minutes)
    case .fetchDirectory: fetchDirectory()
    case .powerOff: enterStandby()
    case .keepPreset, .movePreset, .removePreset, .keepFound, .answer: changePresets(order)
    case .playFound(let rank) where filler.play(finder.station(rank), player): break
    case .playFound: panel.announce(.stationNotPlayed, at: now)
    case .setting(.face(let face)): saver.state.face = face.rawValue
    case .setting(let setting): if let (key, literal) = setting.literal { reloader.set(key, literal) }
    default: break
    }
    do throws(RecordingError) {
      if let notice = try PlayerOrder.execute(order, player, stamp: { wall.stamp }) { panel.announce(notice, at: now) }
    } catch {
      report(error.description, PanelNotice(error))
    }
  }

  private func report(_ words: String, _ notice: PanelNotice) {
    log(.warning, words)
    panel.announce(notice, at: now)
  }

  private func changePresets(_ order: PanelOrder) {
    do throws(ControlRefusal) {
      let notice = try PresetMenu.apply(
        order, presets, found: finder.station, mover: (mover, radio.tuner?.player), keep: savePlaying)
      guard let notice else { return }
      usePresets()
      panel.announce(notice, at: now)
    } catch {
      report(error.message, PanelNotice(error))
    }
  }

  func press(_ button: String, _ gesture: String) throws(ControlRefusal) {
    process(try hardware.inputs.press(button, gesture))
  }

  func turn(_ clicks: Int, _ mode: String?) throws(ControlRefusal) { process([try hardware.inputs.turn(clicks, mode)]) }

  private func process(_ inputs: [PanelInput]) {
    model = nil
    for input in inputs { perform(input) }
  }

  func writeDisplay(_ answer: inout ControlAnswer, isLocal: Bool) {
    model = nil
    show()
    panel.writeDisplay(&answer, isLocal: isLocal)
  }

  private func saveState() {
    saver.record(radio.player, alarmsHandled: alarms.handled)
    saver.state.sleep = sleepTimer.saved(wall: confirmedTime, at: now)
    if let tuner = radio.tuner {
      if tuner.radio.list?.isFeed == true { saver.recordEpisode(tuner.radio.status, isHeard: false) }
      filler.recordQueue(tuner.player, at: now)
    }
    saver.save(panel.knobMode, wall: confirmedTime, at: now)
    starts.confirm(owner.settings, at: now)
  }

  // MARK: Settings

  /// Shows the next unusable value or file on the display once it is free, each once; the log has all.
  private func announceReplaced() {
    guard panel.isFree, let key = replaced.next(starts, configuration, presets, owner) else { return }
    if panel.announceIfFree(.settingReplaced(key: key), at: now) { replaced.record(key) }
  }

  var sources: (stations: String, owner: String) { (launch.stationsPath, owner.path) }

  func set(_ key: String, as text: String) throws(ControlRefusal) -> Bool { try reloader.set(key, as: text) }

  func useSettings() {
    panel.adopt(PanelSettings(configuration, saver.state))
    wall.set(zone: configuration.timezone)
    alarms.use(configuration)
    finder.use(configuration)
    radio.tuner?.use(configuration)
    if web.use(configuration.web) { control?.notify([.options]) }
  }

  @discardableResult
  func reload() -> String? {
    service.sendReloading(at: now)
    defer { service.sendReady() }
    defer { announceReplaced() }
    return reloader.reload()
  }

  // MARK: Clients

  var directory: DirectoryState { finder.state(at: now) }
  var updates: any DirectoryControl { finder }

  private func fetchDirectory() {
    do throws(ControlRefusal) { try finder.requestUpdate() } catch { report(error.message, .directoryUnchanged) }
    control?.notify([.options])
  }

  /// Reports the progress of the directory's update to clients, and its end to the display too.
  private func watchUpdate() {
    guard let change = finder.advance(at: now) else { return }
    control?.notify(change.isEnded || change.isReplaced ? [.database, .options] : [.options])
    guard change.isEnded else { return }
    if case .failed(let reason)? = finder.update { log(.warning, "The station directory was not updated. \(reason)") }
    panel.announceIfFree(finder.update == .ready ? .directoryReady : .directoryUnchanged, at: now)
  }

  /// Opens the control socket. Returns false if it would be open without a password, or if the password is unreadable.
  private func openControl() -> Bool {
    if radio.tuner == nil { restoreSilentPlayer() }
    let kind = launch.output.map { String($0.prefix { $0 != ":" }) } ?? "alsa"
    let opened = ControlOpening.open(
      self, radio.player, .init(board, kind: kind), absence: radio.absence, watch: watch, clock)
    control = opened.server
    return !opened.isRefused
  }

  func addStatus(to answer: inout ControlAnswer) {
    answer.add(["board": board.title, "standby": isStandby, "sleep_minutes": sleepMinutes])
    finder.updates.addStatus(to: &answer)
    home.addStatus(to: &answer)
  }
}

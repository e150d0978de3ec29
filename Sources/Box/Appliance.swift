import AudioOutput
import CLinux
import Control
import Glibc
import Network
import Panel
import PanelLinux
import Radio
import Settings
import Units

/// The box: everything is put together here, and one thread, the control thread, goes round and round.
///
/// What is missing, a card, a display, a button, is said and looked for again; what is there works meanwhile.
final class Appliance {
  let launch: LaunchOptions
  /// What counts: the settings of the owner's file, as he changed them at run time.
  var configuration: Configuration
  var ownersConfiguration: Configuration
  let owner: OwnerKeeper
  let board: Board
  private let signals: Signals
  var service = ServiceManager()
  private var watchdog = Watchdog()
  /// All that may wake the control thread, beside the radio's own.
  let watch = bk_watch_open()

  var catalog: PresetCatalog
  var tuner: Tuner?
  private var nextTuner = MonotonicTime.zero
  /// Why there is no radio: the file that it was to play to cannot be written.
  private(set) var sinkTrouble: SinkError?
  /// When a station that was given up is tried again (R4.3).
  private var nextTry = MonotonicTime.never
  /// The changes of the network that were seen (`Radio.networkChanges`).
  private var networkChanges: UInt32 = 0
  var troubles = TroubleWatch()
  private var journal = TroubleJournal()

  /// Serves programs that drive the radio; nil where that is off, or cannot be.
  var control: ControlServer?
  /// What they drive while sound can go nowhere: a player that knows presets and queue, and plays nothing.
  private(set) lazy var silentPlayer = PlayerController(AbsentRadio())

  var panel: FrontPanel
  let panelInputs: PanelInputs
  private let display: PanelDisplay?
  private(set) var shown: PanelPicture?
  /// The station that was tuned to last.
  private var tunedID: Int?
  /// Titles that were heard.
  private var titleCount = 0
  /// What the radios before this one did, whose sinks failed.
  private var played = Summary()

  var wall: WallTime
  let stateSaver: StateSaver
  let queueKeeper: QueueKeeper
  var state: SavedState
  /// When it goes to standby by itself.
  var sleepEnd: MonotonicTime?
  var isStandby: Bool { state.isStandby }

  /// Reads what is to be read, in the order in which the others need it; the card comes in `run`.
  init(_ launch: LaunchOptions, _ configuration: Configuration, _ signals: Signals) {
    self.launch = launch
    ownersConfiguration = configuration
    owner = OwnerKeeper(folder: configuration.statePath)
    let configuration = Self.configuration(configuration, owner.settings)
    self.configuration = configuration
    self.signals = signals
    stateSaver = StateSaver(folder: configuration.statePath)
    state = stateSaver.load()
    queueKeeper = QueueKeeper(folder: configuration.statePath)
    state.volume = min(state.volume, configuration.audio.startVolumeMax)
    wall = WallTime(known: state.wallClock, zone: configuration.timezone)
    board = Self.board(launch, configuration)
    catalog = PresetCatalog(launch.stationsPath, owner.settings, configuration.buffer)
    let terminal = Self.terminal(for: board)
    let size = board.display?.size ?? .large
    panel = FrontPanel(
      columns: size.columns, rows: size.rows, rom: board.display?.rom == .a02 ? .a02 : .a00,
      settings: Self.panelSettings(configuration, state))
    signals.isPanelInTerminal = terminal != nil
    panelInputs = PanelInputs(board, watch: watch, terminal: terminal)
    display = PanelDisplay(board, terminal: terminal)
    bk_watch(watch, signals.descriptor, false)
  }

  /// The board that was asked for; in a terminal of a computer without its pins, the panel drawn there.
  private static func board(_ launch: LaunchOptions, _ configuration: Configuration) -> Board {
    if let name = launch.board { return board(name, launch.boardFolders) }
    let board = board(configuration.board, launch.boardFolders)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, BoardPins.isNeeded(by: board),
      !BoardPins.isHere(board)
    else { return board }
    log(.notice, "This computer has no pins for \(configuration.board): the panel is drawn in this terminal.")
    return Self.board("simulated", launch.boardFolders)
  }

  /// A board that cannot be read is a box without knob and display: it plays.
  private static func board(_ name: String, _ folders: [String]) -> Board {
    do throws(SettingsErrors) {
      return try Board(named: name, in: folders)
    } catch {
      log(.error, "\(error.description)\nThe radio plays without its panel until that is mended.")
      return Board()
    }
  }

  private static func terminal(for board: Board) -> TerminalPanel? {
    guard board.inputs.contains(where: { $0.device == "terminal" }) else { return nil }
    do throws(HardwareError) {
      let terminal = try TerminalPanel()
      Log.hold()
      return terminal
    } catch {
      log(.notice, error.description)
      return nil
    }
  }

  static func panelSettings(_ configuration: Configuration, _ state: SavedState) -> PanelSettings {
    var settings = PanelSettings()
    settings.scrollMilliseconds = state.scrollMilliseconds ?? configuration.panel.scrollMilliseconds
    settings.volumeStep = configuration.panel.volumeStep
    settings.scrubStep = configuration.panel.scrubStep
    settings.idleClock = state.hasIdleClock ?? configuration.panel.hasIdleClock
    settings.startVolumeMax = configuration.audio.startVolumeMax
    settings.face = state.face.flatMap { PanelFace(rawValue: $0) } ?? .titles
    settings.knobMode = Panel.KnobMode(rawValue: state.knobMode.rawValue) ?? .tune
    return settings
  }

  var now: MonotonicTime { MonotonicTime(nanoseconds: bk_monotonic_ns()) }

  // MARK: Going round

  /// Plays until SIGTERM, or until the terminal is closed that the panel is drawn in; the exit code.
  func run() -> Int32 {
    openSink()
    guard openControl() else {
      end()
      return 2
    }
    service.ready()
    while !signals.isEnding, !panelInputs.isTerminalGone {
      wait()
      signals.attend()
      if signals.takeReload() { reload() }
      openSink()
      control?.attend()
      tuner?.player.settle()
      for input in panelInputs.inputs(at: now) { obey(panel.handle(input, view, at: now)) }
      obey(panel.advance(view, at: now))
      lookAround()
      show()
      remember()
      if watchdog.isAlive(tuner?.radio.heartbeats, at: now) { service.feed(at: now) }
    }
    end()
    return 0
  }

  /// Ends all threads: none may run when the program ends.
  private func end() {
    service.stopping()
    // The sound falls first; what is remembered is written while it does.
    if let tuner { played.add(tuner.radio.close()) }
    // Its end takes the socket away.
    control = nil
    stateSaver.finish(state)
    queueKeeper.finish()
    owner.finish()
    display?.finish()
    Log.release()
    log(
      .info,
      "Played \(Int(played.heard)) s, \(played.underruns) underruns, \(played.stitches) stitches, "
        + "\(titleCount) titles.")
  }

  /// Rests until something happens or is due.
  private func wait() {
    let due = [
      panel.nextChange(after: now), panelInputs.nextChange, service.feedDue, stateSaver.due, queueKeeper.due,
      nextTry, tuner == nil ? nextTuner : .never, sleepEnd ?? .never, now + MonotonicTime(milliseconds: 1_000),
    ].reduce(.never, min)
    let patience = max(MonotonicTime(milliseconds: 2), due - now)
    if let radio = tuner?.radio {
      radio.step(patience, watching: watch)
    } else {
      _ = bk_wait_readable(watch, patience.milliseconds)
    }
  }

  // MARK: The sink

  /// Makes the radio where there is none, and takes up what was played; tries again every five seconds. A card that is
  /// not there is the radio's own business: it waits for it.
  private func openSink() {
    if let failure = tuner?.radio.sinkFailure {
      log(.warning, failure.description)
      sinkTrouble = failure
      if let tuner { played.add(tuner.radio.close()) }
      tuner = nil
      control?.commands.player = preparedSilentPlayer(failure.description)
      nextTuner = now + MonotonicTime(milliseconds: 1_000)
    }
    guard tuner == nil, now >= nextTuner else { return }
    nextTuner = now + MonotonicTime(milliseconds: 5_000)
    guard let output = Tuner.output(configuration, board, launch.output) else { return }
    do throws(RadioError) {
      take(try Tuner(configuration, board, output))
    } catch {
      if case .noSink(let failure) = error, failure == sinkTrouble { return }
      log(.warning, error.description)
      if case .noSink(let failure) = error { sinkTrouble = failure }
    }
  }

  private func take(_ tuner: Tuner) {
    sinkTrouble = nil
    self.tuner = tuner
    tuner.radio.onEvent = { [unowned self] event, time in hear(event, at: time) }
    tuner.radio.chooseItem = { [unowned self] in episode(of: $0) }
    tuner.radio.startOfItem = { [unowned self] in start(of: $0) }
    tuner.player.onChange = { [unowned self] in control?.note($0) }
    fillQueue(of: tuner.player)
    control?.commands.player = tuner.player
    control?.commands.absence = nil
    tuner.player.volume.turn(to: state.volume)
    if state.isMuted { tuner.player.volume.mute(true) }
    if !isStandby { playLast() }
  }

  /// What keeps the sound from where it goes; nil where nothing does.
  var sinkWords: Panel.Trouble? {
    guard let failure = tuner == nil ? sinkTrouble : tuner?.radio.sinkTrouble else { return nil }
    switch failure {
    case .deviceBusy: return .soundCardBusy
    case .noReader, .readerGone, .readerStands, .pipeGone: return .pipeUnread
    case .terminal, .fileFailed: return .outputFailed
    case .noSuchDevice, .deviceForbidden, .deviceUnsuitable, .deviceFailed: return .soundCardMissing
    }
  }

  // MARK: What is heard

  private func hear(_ event: Event, at time: Double) {
    tuner?.player.handle(event)
    control?.tell(event, at: time)
    switch event {
    case .connecting, .followed: begin()
    case .deviceLost(_, let message): if tuner?.radio.deviceFailure != nil { log(.warning, message) }
    case .deviceBack(_, let message):
      log(.notice, message)
      tuner?.takeUpCard()
    case .rescued(let held, let waits):
      log(.error, "\(Int(held)) s of sound were held and not heard for 5 s; they are played now (\(waits)).")
    default: break
    }
    if case .metadataChanged = event { titleCount += 1 }
    hearOfFile(event)
    if case .fileComplete = event { noteEpisode(isHeard: true) }
    troubles.hear(event, tuner?.radio.trouble, at: now)
    note(event)
    if case .stopped(.error) = event, tuner?.radio.sinkFailure == nil {
      nextTry = now + Self.retryInterval
      troubles.waits(until: nextTry)
    } else if case .stopped = event {
      nextTry = .never
    }
  }

  /// Writes into the log what keeps the station from coming, once, and that it is back.
  private func note(_ event: Event) {
    guard let tuner else { return }
    let name = stationName(tuner.radio.status, tuner.player)
    if let trouble = tuner.radio.trouble {
      if let line = journal.begins(trouble, of: name, at: now) { log(.warning, line) }
      return
    }
    switch event {
    case .playing, .stitched, .stationInfo: if let line = journal.ends(name, at: now) { log(.notice, line) }
    case .stopped: journal.forget()
    default: break
    }
  }

  /// A station is tuned to, whoever chose it.
  private func begin() {
    guard let tuner else { return }
    state.isStandby = false
    nextTry = .never
    guard tuner.player.tunedID != tunedID else { return }
    tunedID = tuner.player.tunedID
    troubles.clear()
    journal.forget()
    let url = tunedID.flatMap { tuner.player.queue[id: $0]?.request.url }
    tuner.takeUp(gain: url.flatMap { catalog.entry(url: $0, name: nil)?.settings.gain } ?? 0)
  }

  /// A station that was given up is tried again so often (R4.3).
  private static let retryInterval = MonotonicTime(milliseconds: 60_000)
  /// What comes with a network comes one thing after the other.
  private static let networkPause = MonotonicTime(milliseconds: 1_000)

  // MARK: What is due

  private func lookAround() {
    // A clock that was set may make a certificate valid.
    if wall.takeJump(), nextTry != .never { nextTry = now }
    // A network or a name server that came may lead to the station.
    if let changes = tuner?.radio.networkChanges, changes != networkChanges {
      networkChanges = changes
      if nextTry != .never { nextTry = min(nextTry, now + Self.networkPause) }
    }
    if now >= nextTry {
      nextTry = .never
      tuner?.player.play()
    }
    if let sleepEnd, now >= sleepEnd { goToStandby() }
  }

  /// Falls silent until it is wanted again.
  func goToStandby() {
    sleepEnd = nil
    state.isStandby = true
    tuner?.player.stop()
    nextTry = .never
  }

  func show() {
    var view = view
    view.sound = sound
    let picture = panel.picture(view, at: now)
    service.tell(words)
    display?.below = panelInputs.keyLines
    guard picture != shown else { return }
    shown = picture
    display?.show(picture)
  }

  private func remember() {
    if let player = tuner?.player {
      (state.volume, state.isMuted) = (player.volume.percent, player.volume.isMuted)
      if let current = player.current { (state.stationURL, state.stationName) = (current.request.url, current.name) }
      queueKeeper.note(player, at: now)
    }
    noteEpisode(isHeard: false)
    state.knobMode = Settings.KnobMode(rawValue: panel.knobMode.rawValue) ?? .tune
    if wall.isSet { state.wallClock = wall.seconds }
    stateSaver.note(state, at: now)
  }
}

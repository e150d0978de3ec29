import CLinux
import Control
import Glibc
import Panel
import Rooms
import Settings
import System
import Units

/// A box that is a room of another box's snapserver (`[audio] output = "room"`), without a radio.
///
/// The knob sets the volume of the snapclient on this machine. One thread runs the loop, as in `Appliance`.
final class RoomBox: PanelControls {
  private let configuration: Configuration
  private let signals: Signals
  private let clock: Clock
  private let board: Board
  private let watch = bk_watch_open()
  private var service = ServiceManager()
  private let rooms: RoomKeeper
  private let own: OwnRoom
  private let hardware: PanelHardware
  private let panel: PanelController
  private let wall: WallTime
  /// A player without a radio; clients set the volume through it.
  private let player = PlayerController(AbsentRadio())
  private var control: ControlServer?
  private let address: OwnAddress

  init(_ launch: LaunchOptions, _ configuration: Configuration, _ signals: Signals, _ clock: Clock) {
    (self.configuration, self.signals, self.clock) = (configuration, signals, clock)
    board = BoardChoice.board(launch, configuration)
    rooms = RoomKeeper(configuration, clock) { [watch] in bk_watch(watch, $0, false) }
    own = OwnRoom(client: configuration.snapcast.client)
    for setting in configuration.replaced { log(.warning, setting.error.description) }
    wall = WallTime(known: 0, zone: configuration.timezone, clock)
    let terminal = BoardChoice.terminal(for: board)
    signals.isPanelInTerminal = terminal != nil
    var settings = PanelSettings(configuration, SavedState())
    settings.knobMode = .volume
    let finder = StationFinder(configuration, clock) { [watch] in bk_watch(watch, $0, false) }
    hardware = PanelHardware(board, watch: watch, terminal: terminal, clock)
    panel = PanelController(hardware, settings, finder, rooms)
    bk_watch(watch, signals.descriptor, false)
    address = OwnAddress { [watch] in bk_watch(watch, $0, false) }
    player.volume.connect { [unowned self] percent, isMuted in set(percent, isMuted) }
    player.onChange = { [unowned self] in control?.notify($0) }
  }

  private var now: MonotonicTime { clock.now() }

  /// Runs until SIGTERM, or until the panel's terminal closes. Returns the exit code.
  func run() -> Int32 {
    guard openControl() else {
      end()
      return 2
    }
    service.sendReady()
    while !signals.isEnding, !hardware.inputs.isTerminalGone {
      wait()
      runIteration()
    }
    end()
    return 0
  }

  private func wait() {
    let due = min(panel.nextChange, panel.nextFrame, service.feedDue, now + Duration(milliseconds: 1_000))
    let patience = max(Duration(milliseconds: 2), due - now)
    _ = bk_wait_readable(watch, clock.realMilliseconds(patience.milliseconds))
  }

  private func runIteration() {
    signals.readPending()
    if signals.consumeReload() { log(.notice, "A room reads its settings when it starts: restart it.") }
    if rooms.updateNews() {
      if let room { player.volume.follow(room.volume, isMuted: room.isMuted) }
      control?.notify([.output])
    }
    control?.attend()
    process(hardware.inputs.poll(at: now))
    perform(panel.advance(model, at: now))
    show()
    service.feed(at: now)
  }

  private func end() {
    service.sendStopping()
    control = nil
    panel.finish()
    Log.flush()
  }

  // MARK: The room

  /// The room of this box; nil if the snapserver does not list it.
  private var room: Room? { own.find(in: rooms.list) }

  private func set(_ percent: Int, _ isMuted: Bool) {
    if !rooms.change(room, volume: percent, isMuted: isMuted) { panel.announce(.roomUnchanged, at: now) }
  }

  // MARK: The panel

  private var model: PanelModel {
    var view = RoomView.view(room, rooms)
    (view.clock, view.address) = (wall.clock, address.current ?? "")
    return PanelModel(view)
  }

  private func process(_ inputs: [PanelInput]) {
    for input in inputs {
      guard let input = RoomInput.translate(of: input, isFree: panel.isFree) else { continue }
      perform(panel.handle(input, model, at: now))
    }
  }

  private func perform(_ orders: [PanelOrder]) {
    for order in orders {
      switch order {
      case .volume(let percent): set(percent, room?.isMutedItself ?? false)
      case .mute(let isMuted): set(room?.volume ?? 0, isMuted)
      default: break
      }
    }
  }

  private func show() {
    let model = model
    service.sendStatus(model.serviceStatus)
    panel.show(model, nil, at: now)
  }

  // MARK: Clients

  private func openControl() -> Bool {
    let opened = ControlOpening.open(configuration.control, watch: watch, clock) { access in
      let context = ControlContext(player, access, clock: clock) { _ in nil }
      context.use(player, absence: "This box is a room of a snapserver; it has no radio.")
      context.use(rooms: rooms)
      context.addStatus { [unowned self] in RoomView.writeStatus(room, rooms, &$0) }
      let commands = CommandTable(RadioCommands.rows(.init(board, kind: "snapcast")) + BoxCommands.panel(self), context)
      commands.allowWithoutRadio(["setvol", "volume", "radio_press", "radio_turn"])
      commands.refuseWithoutRadio(["radio_suspend", "radio_resume"])
      return commands
    }
    control = opened.server
    return !opened.isRefused
  }

  func press(_ button: String, _ gesture: String) throws(ControlRefusal) {
    process(try hardware.inputs.press(button, gesture))
  }

  func turn(_ clicks: Int, _ mode: String?) throws(ControlRefusal) { process([try hardware.inputs.turn(clicks, mode)]) }

  func writeDisplay(_ answer: inout ControlAnswer, isLocal: Bool) {
    show()
    panel.writeDisplay(&answer, isLocal: isLocal)
  }
}

import CLinux
import Control
import Panel
import PanelLinux
import PanelWords
import Settings
import Units

/// Converts a board's pins, input devices and terminal keys to actions and turns. Control thread only. A missing input
/// is logged once and retried every 5 s.
final class PanelInputs {
  private let board: Board
  private let needsPins: Bool
  /// The board's input devices, without a terminal.
  private let inputDevices: [Board.Input]
  private let watch: Int32
  private let terminal: TerminalPanel?
  private var pins: BoardPins?
  private var devices: [(input: Board.Input, device: EvdevDevice)] = []
  /// The buttons by name, in the order of their names.
  private var gestures: [(name: String, state: ButtonGestures)] = []
  /// The earliest `nextChange` of a button.
  private var nextGesture = MonotonicTime.never
  private var nextSearch = MonotonicTime.zero
  private var loggedErrors: Set<String> = []
  private var listsKeys = false { didSet { keyLines = makeKeyLines() } }
  /// The lines below the display in a terminal; empty without a terminal.
  private(set) var keyLines: [String] = []
  private(set) var isTerminalGone = false

  private static let searchInterval = Duration(milliseconds: 5_000)

  init(_ board: Board, watch: Int32, terminal: TerminalPanel?) {
    self.board = board
    needsPins = BoardPins.isNeeded(by: board)
    inputDevices = board.inputs.filter { $0.device != "terminal" }
    self.watch = watch
    self.terminal = terminal
    if let terminal { bk_watch(watch, terminal.descriptor, false) }
    for button in board.buttons.sorted(by: { $0.name < $1.name }) {
      gestures.append((button.name, ButtonGestures(Set(button.actions.keys))))
    }
    keyLines = makeKeyLines()
  }

  var nextChange: MonotonicTime {
    isComplete ? nextGesture : min(nextGesture, nextSearch)
  }

  func poll(at now: MonotonicTime) -> [PanelInput] {
    if !isComplete, now >= nextSearch { search(at: now) }
    var inputs = pinInputs()
    for (input, device) in devices { inputs += deviceInputs(input, device) }
    inputs += terminalInputs()
    if nextGesture <= now {
      for index in gestures.indices {
        let made = gestures[index].state.advance(to: now)
        inputs += actions(of: gestures[index].name, made)
      }
      findNextGesture()
    }
    return inputs
  }

  private func findNextGesture() {
    nextGesture = gestures.indices.reduce(.never) { min($0, gestures[$1].state.nextChange) }
  }

  // MARK: Device search

  private var isComplete: Bool { (pins != nil || !needsPins) && devices.count == inputDevices.count }

  private func search(at now: MonotonicTime) {
    nextSearch = now + Self.searchInterval
    if pins == nil, needsPins {
      attempt { () throws(HardwareError) in
        let found = try BoardPins(board)
        bk_watch(watch, found.descriptor, false)
        pins = found
      }
    }
    for input in inputDevices where !devices.contains(where: { $0.input.name == input.name }) {
      attempt { () throws(HardwareError) in
        let names = Dictionary(uniqueKeysWithValues: input.keys.keys.map { ($0, $0) })
        let device = try EvdevDevice(input.device, keys: try KeyMap(names), isExclusive: true)
        bk_watch(watch, device.descriptor, false)
        devices.append((input, device))
      }
    }
  }

  private func attempt(_ body: () throws(HardwareError) -> Void) {
    do throws(HardwareError) {
      try body()
    } catch {
      if loggedErrors.insert(error.description).inserted { log(.warning, error.description) }
    }
  }

  // MARK: Reading

  private func pinInputs() -> [PanelInput] {
    guard let pins else { return [] }
    var inputs: [PanelInput] = []
    do throws(HardwareError) {
      while let change = try pins.next() {
        switch change {
        case .button(let name, let isDown, let time): inputs += edge(of: name, isDown: isDown, at: time)
        case .click(let encoder, let step): inputs.append(turn(encoder, step))
        }
      }
    } catch {
      log(.warning, error.description)
      self.pins = nil
    }
    return inputs
  }

  private func deviceInputs(_ input: Board.Input, _ device: EvdevDevice) -> [PanelInput] {
    var inputs: [PanelInput] = []
    do throws(HardwareError) {
      while let event = try device.next() {
        guard let target = input.keys[event.control] else { continue }
        switch (target, event.change) {
        case (.button(let button), .pressed): inputs += edge(of: button, isDown: true, at: event.time)
        case (.button(let button), .released): inputs += edge(of: button, isDown: false, at: event.time)
        case (.click(let knob, let isClockwise), .pressed): inputs.append(turn(knob, isClockwise ? 1 : -1))
        case (.axis(let knob), .turned(let steps)): inputs.append(turn(knob, max(-100, min(100, steps))))
        default: break
        }
      }
    } catch {
      log(.warning, error.description)
      devices.removeAll { $0.input.name == input.name }
    }
    return inputs
  }

  /// Each key of a terminal is a press, because a terminal reports no release.
  private func terminalInputs() -> [PanelInput] {
    guard let terminal else { return [] }
    var inputs: [PanelInput] = []
    do throws(HardwareError) {
      while let key = try terminal.next() {
        switch key.word.flatMap({ terminalKeys[$0] }) {
        case .button(let name): inputs += actions(of: name, [.press])
        case .click(let knob, let isClockwise): inputs.append(turn(knob, isClockwise ? 1 : -1))
        default: if key == .character("?") { listsKeys.toggle() }
        }
      }
    } catch {
      isTerminalGone = true
    }
    return inputs
  }

  private var terminalKeys: [String: Board.KeyTarget] {
    board.inputs.first { $0.device == "terminal" }?.keys ?? [:]
  }

  private func makeKeyLines() -> [String] {
    guard terminal != nil else { return [] }
    guard listsKeys else { return ["? lists the keys, Ctrl-C ends the radio"] }
    return TerminalKeyList(board, terminalKeys).lines
  }

  private func edge(of button: String, isDown: Bool, at time: MonotonicTime) -> [PanelInput] {
    guard let index = gestures.firstIndex(where: { $0.name == button }) else { return [] }
    let made = gestures[index].state.edge(isDown: isDown, at: time)
    findNextGesture()
    return actions(of: button, made)
  }

  private func actions(of button: String, _ gestures: [Gesture]) -> [PanelInput] {
    guard !gestures.isEmpty, let button = board.buttons.first(where: { $0.name == button }) else { return [] }
    return gestures.compactMap { button.actions[$0] }.map { .action($0) }
  }

  /// Returns a turn, with the encoder's own mode if the board has several encoders.
  private func turn(_ encoder: String, _ steps: Int) -> PanelInput {
    let mode = board.encoders.count > 1 ? board.encoders.first { $0.name == encoder }?.mode : nil
    return .turn(steps, mode: mode)
  }

  // MARK: Remote control

  /// Returns the actions of a button's gesture. If the board has no such button, `name` may be an action.
  func press(_ name: String, _ word: String) throws(ControlRefusal) -> [PanelInput] {
    guard let gesture = Gesture(rawValue: word) else {
      throw ControlRefusal(.argument, "There is no gesture \(word); there are press, long, double and repeat")
    }
    if board.buttons.contains(where: { $0.name == name }) { return actions(of: name, [gesture]) }
    if gesture == .press, let action = PanelAction(name) { return [.action(action)] }
    let known = board.buttons.map(\.name).joined(separator: ", ")
    throw ControlRefusal(.notFound, "There is no button \(name); there are \(known)")
  }

  /// Returns the input of a turned knob. `word`: a mode; nil for the knob's current mode.
  func turn(_ clicks: Int, _ word: String?) throws(ControlRefusal) -> PanelInput {
    guard let word else { return .turn(clicks) }
    guard let mode = KnobMode(rawValue: word) else {
      throw ControlRefusal(.argument, "There is no mode \(word); there are tune, volume and scrub")
    }
    return .turn(clicks, mode: mode)
  }
}

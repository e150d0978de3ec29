import Control
import Panel
import PanelLinux
import PanelWords
import Settings
import System
import Units

/// The front panel with its inputs and its display. Control thread only.
final class PanelController {
  private var panel: FrontPanel
  private let board: Board
  private let inputs: PanelInputs
  private let display: PanelDisplay?
  private let finder: StationFinder
  private let rooms: RoomKeeper
  private let web: WebKeeper?
  private(set) var shown: PanelPicture?

  /// Creates the panel. `watch`: the set for all descriptors (`bk_watch`). `terminal`: nil unless the panel is
  /// simulated.
  init(
    _ board: Board, _ settings: PanelSettings, _ finder: StationFinder, _ rooms: RoomKeeper, _ web: WebKeeper? = nil,
    watch: Int32, terminal: TerminalPanel?, _ clock: Clock
  ) {
    (self.board, self.finder, self.rooms, self.web) = (board, finder, rooms, web)
    let size = board.display?.size ?? .large
    panel = FrontPanel(
      columns: size.columns, rows: size.rows, rom: board.display?.rom == .a02 ? .a02 : .a00, settings: settings)
    inputs = PanelInputs(board, watch: watch, terminal: terminal)
    display = PanelDisplay(board, terminal: terminal, clock)
  }

  var settings: PanelSettings { panel.settings }
  var knobMode: KnobMode { panel.knobMode }
  var columns: Int { (board.display?.size ?? .large).columns }
  var isFree: Bool { panel.isFree }
  var isTerminalGone: Bool { inputs.isTerminalGone }

  func nextChange(after now: MonotonicTime) -> MonotonicTime { min(panel.nextChange(after: now), inputs.nextChange) }

  func adopt(_ settings: PanelSettings) { panel.adopt(settings) }

  /// Shows a notice for 2 s.
  func announce(_ notice: PanelNotice, at now: MonotonicTime) { panel.announce(notice, at: now) }

  /// Shows a notice that no user requested; ignored if an overlay is open.
  func announceIfFree(_ notice: PanelNotice, at now: MonotonicTime) { if panel.isFree { announce(notice, at: now) } }

  func readInputs(at now: MonotonicTime) -> [PanelInput] { inputs.inputs(at: now) }

  /// Processes an input. Applies commands for rooms, and returns the other commands.
  func handle(_ input: PanelInput, _ model: PanelModel, at now: MonotonicTime) -> [PanelOrder] {
    panel.handle(input, view(model, at: now), at: now).filter { order in
      guard let isDone = rooms.apply(order) else { return true }
      if !isDone { announce(.roomUnchanged, at: now) }
      return false
    }
  }

  /// Returns the commands that are due by time, for example after the knob rested.
  func advance(_ model: PanelModel, at now: MonotonicTime) -> [PanelOrder] {
    panel.advance(view(model, at: now), at: now)
  }

  func show(_ model: PanelModel, _ sound: PanelSound?, at now: MonotonicTime) {
    var view = view(model, at: now)
    view.sound = sound
    let picture = panel.picture(view, at: now)
    display?.below = inputs.keyLines
    guard picture != shown else { return }
    shown = picture
    display?.show(picture)
  }

  private func view(_ model: PanelModel, at now: MonotonicTime) -> PanelView {
    var view = model.view
    view.found = finder.answer(panel.findRequest, tuned: model.address, at: now)
    view.rooms = rooms.panelRooms
    view.webCode = web?.panelCode
    return view
  }

  func stop() { rooms.stop() }

  func finish() {
    rooms.stop()
    display?.finish()
    finder.finish()
    rooms.finish()
    web?.finish()
  }

  // MARK: Remote control

  /// Returns the actions of a button's gesture. If the board has no such button, `name` may be an action.
  func press(_ name: String, _ word: String) throws(ControlRefusal) -> [PanelInput] {
    guard let gesture = Gesture(rawValue: word) else {
      throw ControlRefusal(.argument, "There is no gesture \(word); there are press, long, double and repeat")
    }
    if board.buttons.contains(where: { $0.name == name }) { return inputs.actions(of: name, [gesture]) }
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

  /// Masks the web panel's code for remote clients: only a person at the display or this machine may read it.
  func writeDisplay(_ answer: inout ControlAnswer, isLocal: Bool) {
    guard let shown else { return }
    let secret = isLocal ? nil : web?.code?.text
    answer.add("columns", shown.frame.columns)
    answer.add("rows", shown.frame.rows)
    answer.add("lit", shown.frame.isLit)
    for (index, row) in shown.rows.enumerated() {
      answer.add("row_\(index + 1)", secret.map { row.replacing($0, with: "********") } ?? row)
    }
  }
}

extension PanelSound {
  /// Measures the audio; nil for a face without levels, or if no audio is audible.
  init?(_ face: PanelFace, columns: Int, _ model: PanelModel, _ meter: any SoundMeter) {
    guard face != .titles, model.view.state != .paused, model.view.isAudible else { return nil }
    self.init()
    let (left, right) = meter.levels
    averages = [left.average.value, right.average.value]
    peaks = [left.peak.value, right.peak.value]
    if face == .spectrum { bands = meter.spectrum(bands: columns).map(\.value) }
  }
}

import Control
import Panel
import PanelLinux
import PanelWords
import Settings
import System
import Units

/// The front panel with its inputs and its display. The control thread's.
final class PanelController {
  private var panel: FrontPanel
  private let board: Board
  private let inputs: PanelInputs
  private let display: PanelDisplay?
  private let finder: StationFinder
  private let rooms: RoomKeeper
  private let web: WebKeeper?
  /// What the display shows.
  private(set) var shown: PanelPicture?

  /// The panel of a board; all descriptors are watched in a set (`bk_watch`). `terminal` is the simulated panel's,
  /// `finder` knows the stations that can be found, `rooms` the rooms of a snapserver, `web` the code of the web panel.
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

  /// How it behaves.
  var settings: PanelSettings { panel.settings }
  /// What the knob turns now.
  var knobMode: KnobMode { panel.knobMode }
  /// Columns of the display.
  var columns: Int { (board.display?.size ?? .large).columns }
  /// Whether nothing lies over what the box does.
  var isFree: Bool { panel.isFree }
  /// Whether the terminal that it was drawn in is gone.
  var isTerminalGone: Bool { inputs.isTerminalGone }

  /// When it has something to do though nothing happens.
  func nextChange(after now: MonotonicTime) -> MonotonicTime { min(panel.nextChange(after: now), inputs.nextChange) }

  /// Takes other settings; what the knob turns stays.
  func adopt(_ settings: PanelSettings) { panel.adopt(settings) }

  /// Says something for two seconds.
  func announce(_ notice: PanelNotice, at now: MonotonicTime) { panel.announce(notice, at: now) }

  /// Says what nobody waits for, unless the owner is at something else.
  func mention(_ notice: PanelNotice, at now: MonotonicTime) { if panel.isFree { announce(notice, at: now) } }

  /// All that was done with it up to now.
  func takeInputs(at now: MonotonicTime) -> [PanelInput] { inputs.inputs(at: now) }

  /// What an input asks for, without what it asks of a room, which is done.
  func handle(_ input: PanelInput, _ model: PanelModel, at now: MonotonicTime) -> [PanelOrder] {
    panel.handle(input, view(model, at: now), at: now).filter { order in
      guard let isDone = rooms.obey(order) else { return true }
      if !isDone { announce(.roomUnchanged, at: now) }
      return false
    }
  }

  /// What a pause asks for.
  func advance(_ model: PanelModel, at now: MonotonicTime) -> [PanelOrder] {
    panel.advance(view(model, at: now), at: now)
  }

  /// Shows what the box does; `sound` is what is heard, where a screen shows it.
  func show(_ model: PanelModel, _ sound: PanelSound?, at now: MonotonicTime) {
    var view = view(model, at: now)
    view.sound = sound
    let picture = panel.picture(view, at: now)
    display?.below = inputs.keyLines
    guard picture != shown else { return }
    shown = picture
    display?.show(picture)
  }

  /// With what the panel shows of the station directory, of rooms and of the web panel.
  private func view(_ model: PanelModel, at now: MonotonicTime) -> PanelView {
    var view = model.view
    view.found = finder.answer(panel.findRequest, tuned: model.address, at: now)
    view.rooms = rooms.panelRooms
    view.webCode = web?.panelCode
    return view
  }

  /// Has the threads end that may wait for a name server, and waits for nothing.
  func stop() { rooms.stop() }

  /// Ends the display's thread and those of what it shows, and gives the terminal back.
  func finish() {
    rooms.stop()
    display?.finish()
    finder.finish()
    rooms.finish()
    web?.finish()
  }

  // MARK: From outside

  /// What a press on a button of the board is; or what a button may be for, on a board that has none for it.
  func press(_ name: String, _ word: String) throws(ControlRefusal) -> [PanelInput] {
    guard let gesture = Gesture(rawValue: word) else {
      throw ControlRefusal(.argument, "There is no gesture \(word); there are press, long, double and repeat")
    }
    if board.buttons.contains(where: { $0.name == name }) { return inputs.actions(of: name, [gesture]) }
    if gesture == .press, let action = PanelAction(name) { return [.action(action)] }
    let known = board.buttons.map(\.name).joined(separator: ", ")
    throw ControlRefusal(.notFound, "There is no button \(name); there are \(known)")
  }

  /// What a turn of the knob is; `word` names the mode, nil: what the knob turns now.
  func turn(_ clicks: Int, _ word: String?) throws(ControlRefusal) -> PanelInput {
    guard let word else { return .turn(clicks) }
    guard let mode = KnobMode(rawValue: word) else {
      throw ControlRefusal(.argument, "There is no mode \(word); there are tune, volume and scrub")
    }
    return .turn(clicks, mode: mode)
  }

  /// Tells what the display shows.
  ///
  /// The code of the web panel is for who stands before the display, and for clients of this machine.
  func tell(_ answer: inout ControlAnswer, isLocal: Bool) {
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
  /// What is heard, as a face of the panel shows it; nil where it shows none, or where nothing sounds.
  init?(_ face: PanelFace, columns: Int, _ model: PanelModel, _ meter: any SoundMeter) {
    guard face != .titles, model.view.state != .paused, model.view.isAudible else { return nil }
    self.init()
    let (left, right) = meter.levels
    averages = [left.average.value, right.average.value]
    peaks = [left.peak.value, right.peak.value]
    if face == .spectrum { bands = meter.spectrum(bands: columns).map(\.value) }
  }
}

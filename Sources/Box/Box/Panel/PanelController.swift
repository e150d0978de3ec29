import Control
import Panel
import PanelWords
import Settings
import Units

/// The front panel on its hardware, with the directory, the recordings, the rooms and the web panel's code. Control
/// thread only.
final class PanelController {
  private var panel: FrontPanel
  private let hardware: PanelHardware
  private let finder: StationFinder
  private let rooms: RoomKeeper
  private let web: WebKeeper?
  private let shelf: ShelfKeeper?
  private(set) var shown: PanelPicture?
  /// The face and the levels of the last frame; nil if its screen has no levels.
  private var measured: (face: PanelFace, sound: PanelSound)?

  init(
    _ hardware: PanelHardware, _ settings: PanelSettings, _ finder: StationFinder, _ rooms: RoomKeeper,
    _ web: WebKeeper? = nil, _ shelf: ShelfKeeper? = nil
  ) {
    self.hardware = hardware
    self.finder = finder
    self.rooms = rooms
    self.web = web
    self.shelf = shelf
    panel = FrontPanel(columns: hardware.columns, rows: hardware.rows, rom: hardware.rom, settings: settings)
  }

  var settings: PanelSettings { panel.settings }
  var knobMode: KnobMode { panel.knobMode }
  var isFree: Bool { panel.isFree }

  /// Time of the next change that needs `handle` or `advance`.
  var nextChange: MonotonicTime {
    panel.isFree ? hardware.inputs.nextChange : min(panel.nextChange(after: .zero), hardware.inputs.nextChange)
  }

  /// Time of the next frame, perhaps in the past.
  var nextFrame: MonotonicTime { panel.nextChange(after: .zero) }

  func adopt(_ settings: PanelSettings) { panel.adopt(settings) }

  /// Shows a notice for 2 s.
  func announce(_ notice: PanelNotice, at now: MonotonicTime) { panel.announce(notice, at: now) }

  /// Shows a notice that no user requested. Returns false if an overlay is open.
  @discardableResult
  func announceIfFree(_ notice: PanelNotice, at now: MonotonicTime) -> Bool {
    guard panel.isFree else { return false }
    announce(notice, at: now)
    return true
  }

  /// Processes an input. Applies commands for rooms and recordings, and returns the other commands.
  func handle(_ input: PanelInput, _ model: PanelModel, at now: MonotonicTime) -> [PanelOrder] {
    panel.handle(input, view(model, at: now), at: now).filter { order in
      if shelf?.apply(order) == true { return false }
      guard let isDone = rooms.apply(order) else { return true }
      if !isDone { announce(.roomUnchanged, at: now) }
      return false
    }
  }

  /// Returns the commands that are due by time, for example after the knob rested, or after the disk has answered.
  func advance(_ model: PanelModel, at now: MonotonicTime) -> [PanelOrder] {
    let outcome = shelf?.advance()
    let orders = panel.advance(view(model, at: now), at: now)
    switch outcome {
    case .play(let path, let title): return orders + [.playFile(path, title: title)]
    case .notice(let notice): announce(notice, at: now)
    case nil: break
    }
    return orders
  }

  /// Draws the display. `meter`: nil without audio.
  func show(_ model: PanelModel, _ meter: (any SoundMeter)?, at now: MonotonicTime) {
    var view = view(model, at: now)
    view.sound = meter.flatMap { levels(model, $0, at: now) }
    let picture = panel.picture(view, at: now)
    hardware.display?.below = hardware.inputs.keyLines
    guard picture != shown else { return }
    shown = picture
    hardware.display?.show(picture)
  }

  /// Returns the levels; nil for a face without levels, or if no audio is audible. Between two frames no screen shows
  /// new levels.
  private func levels(_ model: PanelModel, _ meter: any SoundMeter, at now: MonotonicTime) -> PanelSound? {
    guard settings.face != .titles, model.view.state != .paused, model.view.isAudible else {
      measured = nil
      return nil
    }
    if let measured, measured.face == settings.face, panel.isFree, now < nextFrame { return measured.sound }
    let sound = PanelSound(settings.face, columns: hardware.columns, meter)
    measured = (settings.face, sound)
    return sound
  }

  private func view(_ model: PanelModel, at now: MonotonicTime) -> PanelView {
    var view = model.view
    view.found = finder.answer(panel.findRequest, tuned: model.address, at: now)
    view.shelf = shelf?.answer(isShown: panel.showsRecordings, at: now)
    view.rooms = rooms.panelRooms
    view.webCode = web?.panelCode
    return view
  }

  func stop() { rooms.stop() }

  func finish() {
    rooms.stop()
    hardware.display?.finish()
    finder.finish()
    rooms.finish()
    web?.finish()
  }

  /// Masks the web panel's code for remote clients: only a person at the display or this machine may read it.
  func writeDisplay(_ answer: inout ControlAnswer, isLocal: Bool) {
    guard let shown else { return }
    let secret = isLocal ? nil : web?.code?.text
    answer.add(["columns": shown.frame.columns, "rows": shown.frame.rows, "lit": shown.frame.isLit])
    for (index, row) in shown.rows.enumerated() {
      answer.add("row_\(index + 1)", secret.map { row.replacing($0, with: "********") } ?? row)
    }
  }
}

extension PanelSound {
  init(_ face: PanelFace, columns: Int, _ meter: any SoundMeter) {
    self.init()
    if face == .spectrum {
      bands = meter.spectrum(bands: columns).map(\.value)
    } else {
      let (left, right) = meter.levels
      averages = [left.average.value, right.average.value]
      peaks = [left.peak.value, right.peak.value]
    }
  }
}

import Units

/// Draws the panel's screens, and remembers the last frame.
struct PanelPainter: Sendable {
  /// The state, besides the view, that selects the screen.
  struct Showing {
    var overlay: PanelOverlay?
    var settings: PanelSettings
    var lastTouch: MonotonicTime?
    var find: Find?
  }

  /// A picture without an overlay, and everything that it shows besides the time.
  private struct Painted {
    var content: ShownContent
    var settings: PanelSettings
    var lastTouch: MonotonicTime?
    var picture: PanelPicture
  }

  let columns: Int
  let rows: Int
  private let typesetter: Typesetter
  private var bars: SpectrumBars
  private var levels: LevelBars
  private var bank = GlyphBank()
  private var lines: [Screen.Line?]
  private var painted: Painted?
  /// Time of the next movement in the last frame; at once before the first frame.
  private(set) var nextChange = MonotonicTime.zero

  init(columns: Int, rows: Int, rom: CharacterRom) {
    precondition((rows == 2 || rows == 4) && (columns == 16 || columns == 20), "a display has 16×2 or 20×4 characters")
    self.columns = columns
    self.rows = rows
    typesetter = Typesetter(rom: rom)
    bars = SpectrumBars(columns: columns, rows: rows == 4 ? 3 : 2)
    levels = LevelBars(cells: columns - 2)
    lines = Array(repeating: nil, count: rows)
  }

  /// Returns the last picture if no visible value has changed, and if no movement is due.
  mutating func picture(_ view: PanelView, _ panel: Showing, at now: MonotonicTime) -> PanelPicture {
    let content = panel.overlay == nil ? ShownContent(view, columns: columns, isTall: rows == 4) : nil
    if let painted, now < nextChange, painted.lastTouch == panel.lastTouch, painted.settings == panel.settings,
      painted.content == content
    {
      return painted.picture
    }
    let picture = paint(view, panel, at: now)
    painted = content.map {
      Painted(content: $0, settings: panel.settings, lastTouch: panel.lastTouch, picture: picture)
    }
    return picture
  }

  private mutating func paint(_ view: PanelView, _ panel: Showing, at now: MonotonicTime) -> PanelPicture {
    var screen = Screen(
      columns: columns, rows: rows, typesetter: typesetter, texts: panel.settings.language.texts, now: now,
      pace: Duration(milliseconds: Int64(panel.settings.scrollMilliseconds)), before: lines)
    if let sound = view.sound, panel.settings.face == .spectrum { bars.advance(sound.bands, at: now) }
    if let sound = view.sound, panel.settings.face == .level { levels.advance(sound, at: now) }
    draw(view.written(by: typesetter), panel, on: &screen)
    lines = screen.lines
    let picture = bank.picture(of: screen)
    nextChange = bank.isWaiting ? min(screen.nextChange, now + Duration(milliseconds: 50)) : screen.nextChange
    return picture
  }

  private func draw(_ view: PanelView, _ panel: Showing, on screen: inout Screen) {
    switch panel.overlay {
    case .tuning(let cursor, _):
      let place = max(0, min(cursor, view.stations.count - 1))
      return screen.list(view.stations, current: view.stationIndex, cursor: place)
    case .volume(let value, let isMuted): return VolumeScreen.draw(value, isMuted: isMuted, on: &screen)
    case .timeShift: return TimeShiftScreen.draw(view, on: &screen)
    case .menu(let menu): return MenuScreen.draw(menu, view, panel.settings, on: &screen)
    case .find: if let find = panel.find { return FindScreen.draw(find, view, on: &screen) }
    case .notice(let notice): return NoticeScreen.draw(notice, on: &screen)
    case .recording: if let recording = view.recording { return RecordingScreen.draw(recording, on: &screen) }
    case .question(let question, let answer): return QuestionScreen.draw(question, answer, on: &screen)
    case .webCode: if let code = view.webCode { return WebCodeScreen.draw(code, on: &screen) }
    case nil: break
    }
    // The station's fault is part of the sentence.
    if view.hasTone, !view.isStandby, view.guest == nil { return StationScreen.draw(view, on: &screen) }
    // While another program uses the card, the station's faults do not matter.
    if let fault = view.fault, !view.isStandby, view.guest == nil { return FaultScreen.draw(view, fault, on: &screen) }
    if let stage = view.bootStage { return BootScreen.draw(view, stage, on: &screen) }
    if view.state == .stopped, view.isStandby || view.guest == nil {
      let rest = view.isStandby ? .zero : panel.lastTouch.map { $0 + PanelOverlay.Stay.stopped } ?? .zero
      if panel.settings.idleClock, let clock = view.clock {
        if rest <= screen.now { return ClockScreen.draw(clock, on: &screen) }
        screen.changes(at: rest)
      } else if view.isStandby {
        screen.isLit = false
        return
      }
    }
    if let room = view.room { return RoomPlayScreen.draw(view, room: room, on: &screen) }
    switch view.sound == nil || !view.isSounding ? .titles : panel.settings.face {
    case .titles: StationScreen.draw(view, on: &screen)
    case .spectrum:
      SpectrumScreen.draw(view, bars, on: &screen)
      screen.changes(at: bars.nextFrame(after: screen.now))
    case .level:
      LevelScreen.draw(view, levels, on: &screen)
      screen.changes(at: levels.nextFrame(after: screen.now))
    }
  }
}

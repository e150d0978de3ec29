import PanelWords
import Units

/// The front panel: what keys and knob mean, and what the display shows.
///
/// A model without a clock and without hardware. Whoever owns it tells it each gesture (`handle`), asks for a picture
/// after each of them, whenever the view has changed, and when `nextChange` has come; before that, `advance`.
public struct FrontPanel: Sendable {
  /// What lies over the radio's own screen for a while.
  enum Overlay: Equatable {
    /// The list of stations; what it points at is tuned to at a moment, unless it was.
    case tuning(cursor: Int, due: MonotonicTime?)
    case volume(Int, isMuted: Bool)
    case timeShift
    case menu(Menu)
    /// What is being recorded.
    case recording
    case notice(String)
  }

  /// How long each of them stays after the last touch.
  enum Stay {
    static let knob = MonotonicTime(milliseconds: 2000)
    static let menu = MonotonicTime(milliseconds: 15_000)
    static let recording = MonotonicTime(milliseconds: 5000)
    /// The list's pause before it tunes.
    static let dwell = MonotonicTime(milliseconds: 400)
    /// The words "Stopped" before the clock.
    static let stopped = MonotonicTime(milliseconds: 5000)
  }

  /// How it behaves; the menu changes some of it.
  public internal(set) var settings: PanelSettings
  /// What the knob turns now.
  public internal(set) var knobMode: KnobMode

  let columns: Int
  let rows: Int
  private let typesetter: Typesetter
  var overlay: Overlay?
  var overlayEnd = MonotonicTime.never
  var lastTouch: MonotonicTime?
  var listKnob = KnobAcceleration(most: 8)
  var scrubKnob = KnobAcceleration(most: 5)
  /// Louder is not to come as a surprise.
  var upKnob = KnobAcceleration(most: 2)
  var downKnob = KnobAcceleration(most: 5)
  private var bars: SpectrumBars
  private var levels: LevelBars
  private var bank = GlyphBank()
  private var lines: [Screen.Line?]
  /// When the last picture moves; at once before the first.
  private var motion = MonotonicTime.zero

  /// A panel with a display of 16 or 20 columns and 2 or 4 rows.
  public init(columns: Int, rows: Int, rom: CharacterRom = .a00, settings: PanelSettings = PanelSettings()) {
    precondition((rows == 2 || rows == 4) && (columns == 16 || columns == 20), "a display has 16×2 or 20×4 characters")
    self.columns = columns
    self.rows = rows
    self.settings = settings.bounded
    knobMode = settings.knobMode
    typesetter = Typesetter(rom: rom)
    bars = SpectrumBars(columns: columns, rows: rows == 4 ? 3 : 2)
    levels = LevelBars(cells: columns - 2)
    lines = Array(repeating: nil, count: rows)
  }

  /// Lets time pass: what a turn of the knob meant, once it rests; what goes away by itself.
  public mutating func advance(_ view: PanelView, at now: MonotonicTime) -> [PanelCommand] {
    var commands: [PanelCommand] = []
    if case .tuning(let cursor, let due?) = overlay, due <= now {
      overlay = .tuning(cursor: cursor, due: nil)
      commands = tune(cursor, view)
    }
    if overlay != nil, overlayEnd <= now { close() }
    return commands
  }

  /// When the picture changes, or `advance` has a command, though nothing happens; `never` for a screen at rest.
  public func nextChange(after now: MonotonicTime) -> MonotonicTime {
    var moment = motion
    if overlay != nil { moment = min(moment, overlayEnd) }
    if case .tuning(_, let due?) = overlay { moment = min(moment, due) }
    return max(now, moment)
  }

  /// Shows words for two seconds, such as why a command was refused; control and direction characters are left out.
  public mutating func announce(_ words: String, at now: MonotonicTime) {
    open(.notice(String(words.prefix(200))), until: now + Stay.knob)
  }

  /// What the display is to show.
  public mutating func frame(_ view: PanelView, at now: MonotonicTime) -> DisplayFrame { picture(view, at: now).frame }

  /// The same, and what its cells mean.
  public mutating func picture(_ view: PanelView, at now: MonotonicTime) -> PanelPicture {
    var screen = Screen(
      columns: columns, rows: rows, typesetter: typesetter, now: now,
      pace: MonotonicTime(milliseconds: Int64(settings.scrollMilliseconds)), before: lines)
    if let sound = view.sound, settings.face == .spectrum { bars.advance(sound.bands, at: now) }
    if let sound = view.sound, settings.face == .level { levels.advance(sound, at: now) }
    draw(view, on: &screen)
    lines = screen.lines
    let picture = bank.picture(of: screen)
    motion = bank.isWaiting ? min(screen.nextChange, now + MonotonicTime(milliseconds: 50)) : screen.nextChange
    return picture
  }

  /// Takes other settings; what the knob turns stays.
  public mutating func adopt(_ settings: PanelSettings) {
    self.settings = settings.bounded
    self.settings.knobMode = knobMode
  }

  mutating func open(_ overlay: Overlay, until end: MonotonicTime) {
    self.overlay = overlay
    overlayEnd = end
  }

  mutating func close() {
    overlay = nil
    overlayEnd = .never
  }

  private func draw(_ view: PanelView, on screen: inout Screen) {
    switch overlay {
    case .tuning(let cursor, _):
      let place = max(0, min(cursor, view.stations.count - 1))
      return screen.list(view.stations, current: view.stationIndex, cursor: place)
    case .volume(let value, let isMuted): return VolumeScreen.draw(value, isMuted: isMuted, on: &screen)
    case .timeShift: return TimeShiftScreen.draw(view, on: &screen)
    case .menu(let menu): return MenuScreen.draw(menu, view, settings, knobMode, on: &screen)
    case .notice(let words): return NoticeScreen.draw(words, on: &screen)
    case .recording: if let recording = view.recording { return RecordingScreen.draw(recording, on: &screen) }
    case nil: break
    }
    if let trouble = view.trouble, !view.isStandby { return TroubleScreen.draw(view, trouble, on: &screen) }
    if let stage = view.bootStage { return BootScreen.draw(view, stage, on: &screen) }
    if view.state == .stopped {
      let rest = view.isStandby ? .zero : lastTouch.map { $0 + Stay.stopped } ?? .zero
      if settings.idleClock, let clock = view.clock {
        if rest <= screen.now { return ClockScreen.draw(clock, on: &screen) }
        screen.changes(at: rest)
      } else if view.isStandby {
        screen.isLit = false
        return
      }
    }
    switch view.sound == nil || !view.isSounding ? .titles : settings.face {
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

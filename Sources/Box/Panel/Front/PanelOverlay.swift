import Units

/// A temporary screen over the radio's own screen.
enum PanelOverlay: Equatable {
  /// The station list; `due`: time at which the station at the cursor is tuned, nil if it already was.
  case tuning(cursor: Int, due: MonotonicTime?)
  case volume(Int, isMuted: Bool)
  case timeShift
  case menu(Menu)
  case find
  case recording
  case notice(PanelNotice)
  /// The question about a moved station, and the selected answer.
  case question(PanelQuestion, PanelAnswer)
  case webCode

  /// Times that overlays stay without input.
  enum Stay {
    static let knob = Duration(milliseconds: 2000)
    /// The display may need some seconds at the start.
    static let fault = Duration(milliseconds: 8_000)
    static let menu = Duration(milliseconds: 15_000)
    static let recording = Duration(milliseconds: 5000)
    /// Long, because the owner may be away when a question appears by itself.
    static let question = Duration(milliseconds: 60_000)
    /// Pause in the station list before it tunes.
    static let dwell = Duration(milliseconds: 400)
    /// Duration of the word "Stopped" before the clock.
    static let stopped = Duration(milliseconds: 5000)
  }
}

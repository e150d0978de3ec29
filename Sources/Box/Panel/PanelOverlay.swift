import Units

/// What lies over the radio's own screen for a while.
enum PanelOverlay: Equatable {
  /// The list of stations; what it points at is tuned to at a moment, unless it was.
  case tuning(cursor: Int, due: MonotonicTime?)
  case volume(Int, isMuted: Bool)
  case timeShift
  case menu(Menu)
  /// The list of the station directory that is open.
  case find
  /// What is being recorded.
  case recording
  case notice(PanelNotice)
  /// Whether a preset's station has moved, and the answer that is chosen.
  case question(PanelQuestion, PanelAnswer)
  /// The code by which one signs in at the web panel.
  case webCode

  /// How long each of them stays after the last touch.
  enum Stay {
    static let knob = Duration(milliseconds: 2000)
    static let menu = Duration(milliseconds: 15_000)
    static let recording = Duration(milliseconds: 5000)
    /// A question that showed itself may find nobody there.
    static let question = Duration(milliseconds: 60_000)
    /// The list's pause before it tunes.
    static let dwell = Duration(milliseconds: 400)
    /// The words "Stopped" before the clock.
    static let stopped = Duration(milliseconds: 5000)
  }
}

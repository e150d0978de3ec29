import Units

/// The question to the owner if a preset's station has moved to another address.
public struct PanelQuestion: Equatable, Sendable {
  /// The preset's name.
  public var preset: String
  /// The directory's name for the station at the other address.
  public var station: String
  /// The other address.
  public var address: String
  /// The host of that address, for the display.
  public var host: String
  /// True if the preset is tuned and fails, so that the question appears by itself.
  public var isUrgent = false

  /// Creates a question; `address` defaults to the host.
  public init(preset: String, station: String, host: String, address: String? = nil) {
    (self.preset, self.station, self.host, self.address) = (preset, station, host, address ?? host)
  }

  func isSame(as other: PanelQuestion) -> Bool { (preset, address) == (other.preset, other.address) }
}

/// The owner's possible answers.
public enum PanelAnswer: CaseIterable, Sendable {
  /// Listen to the other address.
  case listen
  /// Accept the other address for the preset.
  case accept
  /// Leave the preset unchanged, permanently.
  case refuse
}

/// Decides when the question appears by itself: for a minute after each failed tuning of its preset, while no other
/// overlay is open, unless the owner left it. A value; the caller passes the time.
struct QuestionWatch: Equatable {
  private var asked: PanelQuestion?
  /// The question whose other address the owner is listening to, before the result is known.
  private var playing: PanelQuestion?
  /// Time until which the question is shown.
  private(set) var end = MonotonicTime.never

  mutating func showsItself(_ question: PanelQuestion?, isFree: Bool, at now: MonotonicTime) -> Bool {
    guard let question, question.isUrgent else {
      asked = nil
      // The other address did not play.
      if now >= end { playing = nil }
      return false
    }
    if playing?.isSame(as: question) == true { (asked, playing) = (question, nil) }
    guard isFree else { return false }
    if asked?.isSame(as: question) != true { (asked, end) = (question, now + PanelOverlay.Stay.question) }
    return now < end
  }

  /// The owner listens to the other address: the question stays until then, and does not reappear.
  mutating func extend(with question: PanelQuestion, until end: MonotonicTime) { (playing, self.end) = (question, end) }

  /// Ends the question, after an answer, another input or a timeout.
  mutating func leave() { end = .zero }
}

extension PanelAnswer {
  /// The answer some steps away, clamped to first and last; nil if unchanged.
  func moved(by step: Int) -> PanelAnswer? {
    let all = PanelAnswer.allCases
    let place = all.firstIndex(of: self) ?? 0
    let moved = all[max(0, min(all.count - 1, place + max(-all.count, min(all.count, step))))]
    return moved == self ? nil : moved
  }

  var glyph: Glyph {
    switch self {
    case .listen: .note
    case .accept: .check
    case .refuse: .cross
    }
  }
}

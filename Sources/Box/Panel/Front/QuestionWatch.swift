import Units

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

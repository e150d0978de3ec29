import Units

/// Whether a preset's station has moved to another address, which the owner is asked.
public struct PanelQuestion: Equatable, Sendable {
  /// What the owner calls the preset.
  public var preset: String
  /// What the directory calls the station at the other address.
  public var station: String
  /// The other address.
  public var address: String
  /// Its host, which is shown.
  public var host: String
  /// Whether the preset is tuned to and does not come, so that the question shows itself.
  public var isUrgent = false

  /// A question about a preset; `address` is the host where no more is known.
  public init(preset: String, station: String, host: String, address: String? = nil) {
    (self.preset, self.station, self.host, self.address) = (preset, station, host, address ?? host)
  }

  /// Whether it is about the same address of the same preset.
  func isSame(as other: PanelQuestion) -> Bool { (preset, address) == (other.preset, other.address) }
}

/// What the owner can answer.
public enum PanelAnswer: CaseIterable, Sendable {
  /// To hear the other address.
  case hear
  /// To make it the preset's.
  case take
  /// To leave the preset as it is, for good.
  case refuse
}

/// When the question shows itself: for a minute each time that its preset is tuned to in vain, while nothing else is on
/// the display, unless the owner left it. A value that is told the time.
struct QuestionWatch: Equatable {
  private var asked: PanelQuestion?
  /// The one whose other address the owner hears, before that is known.
  private var heard: PanelQuestion?
  /// Until when it shows itself.
  private(set) var end = MonotonicTime.never

  /// Whether the question is to be shown now.
  mutating func showsItself(_ question: PanelQuestion?, isFree: Bool, at now: MonotonicTime) -> Bool {
    guard let question, question.isUrgent else {
      asked = nil
      // It could not be heard.
      if now >= end { heard = nil }
      return false
    }
    if heard?.isSame(as: question) == true { (asked, heard) = (question, nil) }
    guard isFree else { return false }
    if asked?.isSame(as: question) != true { (asked, end) = (question, now + PanelOverlay.Stay.question) }
    return now < end
  }

  /// The owner hears the other address: it is shown until then, and not once more.
  mutating func goesOn(with question: PanelQuestion, until end: MonotonicTime) { (heard, self.end) = (question, end) }

  /// The owner answered it, or went on to something else, or nobody was there.
  mutating func leave() { end = .zero }
}

extension PanelAnswer {
  /// The answer so many places on, or the first or last; nil where that is this one.
  func moved(by step: Int) -> PanelAnswer? {
    let all = PanelAnswer.allCases
    let place = all.firstIndex(of: self) ?? 0
    let moved = all[max(0, min(all.count - 1, place + max(-all.count, min(all.count, step))))]
    return moved == self ? nil : moved
  }

  /// What stands before its word.
  var glyph: Glyph {
    switch self {
    case .hear: .note
    case .take: .check
    case .refuse: .cross
    }
  }
}

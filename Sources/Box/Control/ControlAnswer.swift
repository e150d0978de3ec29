import Framing
import Metering

/// What a command is answered: lines of `key: value`, as MPD's protocol has them.
public struct ControlAnswer {
  /// The lines, each with its end.
  public private(set) var text = ""
  /// Whether the answer comes with a change that the client waits for, so that no "OK" follows now.
  var isDeferred = false
  /// What makes the rest of the answer; nil where this is all of it.
  private(set) var rest: Rest?

  /// What makes the rest of an answer.
  struct Rest {
    let step: AnswerStep
    /// Whether it need not wait for anything.
    let isReady: Bool
  }

  /// An answer without lines.
  public init() {}

  /// Has the answer go on in pieces, beside other clients'.
  mutating func goOn(_ step: @escaping AnswerStep) { rest = Rest(step: step, isReady: true) }

  /// Has the answer end as soon as something is so, which is looked at again and again.
  mutating func end(when isDone: @escaping () -> Bool) {
    rest = Rest(step: { _ in isDone() ? .done : .waits }, isReady: false)
  }

  /// Adds a line; nothing where there is no value. It is made one line (`DisplayText`).
  public mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    text += key
    text += ": "
    text += Self.oneLine(value)
    text += "\n"
  }

  /// Adds a number.
  public mutating func add(_ key: String, _ value: Int?) { add(key, value.map { "\($0)" }) }

  /// Adds seconds, to a thousandth.
  public mutating func add(seconds key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    let thousandths = Int((max(-1e12, min(1e12, value)) * 1_000).rounded())
    let rest = String(thousandths.magnitude % 1_000 + 1_000).dropFirst()
    add(key, "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1_000).\(rest)")
  }

  /// Adds a number as MPD writes those that need no decimals: "2", "-17.5".
  public mutating func add(figure key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    add(key, value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)")
  }

  /// Adds a level in dB, to a hundredth.
  mutating func add(decibels key: String, _ level: Decibels) {
    add(key, "\((level.value * 100).rounded() / 100)")
  }

  /// Adds yes or no.
  public mutating func add(_ key: String, _ value: Bool) { add(key, value ? 1 : 0) }

  /// A whole line that is no pair.
  mutating func add(line: String) { text += Self.oneLine(line) + "\n" }

  /// A blank for each control character, of which a line's end is one, and no character that turns the direction of
  /// text: none reaches a client's terminal.
  static func oneLine(_ text: String) -> String { DisplayText.oneLine(text, blank: " ") }
}

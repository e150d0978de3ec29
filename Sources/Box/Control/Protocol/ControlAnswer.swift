import Framing
import Recordings

/// The reply to a command: lines of `key: value` in MPD's protocol.
public struct ControlAnswer {
  /// The lines, each with its newline.
  public private(set) var text = ""
  /// True if a later change completes the reply (`idle`); then no "OK" follows now.
  var isDeferred = false
  private(set) var rest: Rest?
  /// The file that is passed with the reply over the Unix socket.
  var passed: OpenRecording?

  struct Rest {
    let step: AnswerStep
    /// True if `step` can produce the next piece now; false if it polls a condition.
    let isReady: Bool
  }

  /// Creates an empty reply.
  public init() {}

  /// Produces the rest of the reply in pieces; commands of other clients run between the pieces.
  mutating func continueInSteps(_ step: @escaping AnswerStep) { rest = Rest(step: step, isReady: true) }

  mutating func end(when isDone: @escaping () -> Bool) {
    rest = Rest(step: { _ in isDone() ? .done : .waits }, isReady: false)
  }

  /// Appends a line; nil appends nothing. Control characters in the value become blanks (`DisplayText`).
  package mutating func add(_ key: String, _ value: some AnswerValue) {
    guard let value = value.answerText else { return }
    text += key
    text += ": "
    text += Self.oneLine(value)
    text += "\n"
  }

  /// Appends a line for each value that is not nil.
  package mutating func add(_ lines: KeyValuePairs<String, any AnswerValue>) {
    for (key, value) in lines { add(key, value) }
  }

  /// Appends a number as in MPD, without needless decimals: "2", "-17.5". Nil or a non-finite value appends nothing.
  public mutating func add(figure key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    add(key, value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)")
  }

  mutating func add(line: String) { text += Self.oneLine(line) + "\n" }

  /// Replaces control characters and newlines with blanks, because the text may reach a client's terminal.
  static func oneLine(_ text: String) -> String { DisplayText.oneLine(text, blank: " ") }
}

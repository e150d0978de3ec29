import Framing
import Metering

/// A value in a line of a `ControlAnswer`.
package protocol AnswerValue {
  /// The value as text; nil for no line.
  var answerText: String? { get }
}

extension String: AnswerValue {
  /// The text itself.
  package var answerText: String? { self }
}

extension Int: AnswerValue {
  /// The number in decimal.
  package var answerText: String? { "\(self)" }
}

extension Bool: AnswerValue {
  /// 1 or 0.
  package var answerText: String? { self ? "1" : "0" }
}

extension Double: AnswerValue {
  /// The number with three decimals, such as seconds; nil if not finite.
  package var answerText: String? { isFinite ? max(-1e12, min(1e12, self)).threeDecimals : nil }
}

extension Decibels: AnswerValue {
  /// The level with up to two decimals.
  package var answerText: String? { "\((value * 100).rounded() / 100)" }
}

extension Optional: AnswerValue where Wrapped: AnswerValue {
  /// The wrapped value; nil for no line.
  package var answerText: String? { self?.answerText }
}

/// What a command is answered, as MPD's protocol says it.
public struct ControlAnswer: Equatable, Sendable {
  /// Why a command is refused: MPD's own numbers.
  public enum Refusal: Int, Sendable {
    case wrongArguments = 2
    case unknownCommand = 5
    case nothingThere = 50
    case failed = 52
  }

  /// Lines of `key: value`.
  public private(set) var lines: [String] = []
  /// Why the command is refused, and in words.
  public private(set) var refusal: (code: Refusal, message: String)?

  /// Done, and nothing to say.
  public static let done = ControlAnswer()

  /// An answer without lines.
  public init() {}

  /// Not done, and why.
  public static func refused(_ code: Refusal, _ message: String) -> ControlAnswer {
    var answer = ControlAnswer()
    answer.refusal = (code, message)
    return answer
  }

  /// Adds a line; nothing where there is no value. A line's end within the value would be another line: it is a blank.
  public mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    lines.append("\(key): " + String(value.map { $0.isNewline ? " " : $0 }))
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

  /// Adds yes or no.
  public mutating func add(_ key: String, _ value: Bool) { add(key, value ? 1 : 0) }

  /// The answer to `command`, its last line included.
  public func text(to command: String) -> String {
    guard let refusal else { return lines.map { $0 + "\n" }.joined() + "OK\n" }
    return "ACK [\(refusal.code.rawValue)@0] {\(command)} \(refusal.message)\n"
  }

  /// Whether two answers say the same.
  public static func == (lhs: ControlAnswer, rhs: ControlAnswer) -> Bool { lhs.text(to: "") == rhs.text(to: "") }
}

import Framing
import Json

enum ApiValue: Equatable {
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([String])

  private static let maxElements = 64

  /// Converts a value of the body. Returns nil for an object, for null, and for a list with elements other than texts
  /// and numbers.
  init?(_ value: JsonValue) {
    if let text = value.string {
      self = .text(text)
    } else if let number = value.number {
      self = .number(number)
    } else if let flag = value.bool {
      self = .flag(flag)
    } else if let elements = value.elements, elements.count <= Self.maxElements {
      let texts = elements.compactMap { $0.string ?? $0.number.map { Self.plain($0) } }
      guard texts.count == elements.count else { return nil }
      self = .list(texts)
    } else {
      return nil
    }
  }

  var words: [String] {
    switch self {
    case .text(let text): [text]
    case .number(let number): [Self.plain(number)]
    case .flag(let flag): [flag ? "true" : "false"]
    case .list(let texts): texts.isEmpty ? [""] : texts
    }
  }

  /// Formats a number without exponent and unnecessary decimals.
  static func plain(_ number: Double) -> String {
    guard abs(number) < 1e15 else { return "0" }
    return number == number.rounded() ? "\(Int(number))" : number.threeDecimals
  }
}

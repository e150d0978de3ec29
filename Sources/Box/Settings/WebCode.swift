import System

/// The code by which one signs in at the web panel of a box whose owner has set no password: it is on the display until
/// the first has.
public struct WebCode: Equatable, Sendable {
  /// 8 characters that are easily told from each other.
  public let text: String
  /// Whether somebody has signed in with it.
  public var isUsed = false

  /// A new one.
  public static func draw() -> WebCode { WebCode(text: AccessCode.draw()) }
}

extension WebCode {
  /// As the file has it (`CheckedText`).
  var fileText: String {
    CheckedText.text(Self.format, ["code=\(text)", "used=\(isUsed ? "yes" : "no")"])
  }

  /// Reads such text; nil where any of it is not as it was written.
  init?(_ bytes: [UInt8]) {
    guard let pairs = CheckedText.pairs(bytes, Self.format, most: 16),
      let text = pairs.first(where: { $0.key == "code" })?.value, AccessCode.isOne(text)
    else { return nil }
    self.init(text: text, isUsed: pairs.contains { $0.key == "used" && $0.value == "yes" })
  }

  private static var format: String { "bakelite-web-code 1" }
}

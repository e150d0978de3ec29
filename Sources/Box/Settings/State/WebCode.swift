import System

/// The sign-in code of a web panel without an owner's password. The display shows it until the first sign-in.
public struct WebCode: Equatable, Sendable {
  /// The code: 8 easily distinguished characters.
  public let text: String
  /// True after the first sign-in with the code.
  public var isUsed = false

  /// Creates a random code.
  public static func draw() -> WebCode { WebCode(text: AccessCode.draw()) }
}

/// The file of the web panel's code.
package typealias WebCodeFile = KeptFile<WebCode>

extension WebCode: KeptContent {
  package static var place: KeptPlace {
    KeptPlace(
      name: "web-code", byteLimit: 4_096, damage: "its code is damaged",
      consequence: "another one is drawn where the web panel is on")
  }

  package var fileText: String {
    CheckedText.text(Self.format, ["code=\(text)", "used=\(isUsed ? "yes" : "no")"])
  }

  package init?(_ bytes: [UInt8]) {
    guard let pairs = CheckedText.pairs(bytes, Self.format, most: 16),
      let text = pairs.first(where: { $0.key == "code" })?.value, AccessCode.isOne(text)
    else { return nil }
    self.init(text: text, isUsed: pairs.contains { $0.key == "used" && $0.value == "yes" })
  }

  private static var format: String { "bakelite-web-code 1" }
}

enum InputKey {
  /// True if the text has the form of a kernel key name, such as KEY_PLAYPAUSE (`linux/input-event-codes.h`).
  static func isName(_ name: String) -> Bool {
    guard let prefix = ["KEY_", "BTN_", "REL_", "ABS_"].first(where: name.hasPrefix) else { return false }
    return (prefix.utf8.count + 1...40).contains(name.utf8.count)
      && name.utf8.allSatisfy { TextRule.isWordByte($0) && !(0x61...0x7A).contains($0) }
  }

  /// The names of terminal keys that have no visible character.
  static let terminalWords = [
    "up", "down", "left", "right", "home", "end", "page_up", "page_down", "enter", "escape", "tab", "backspace",
    "insert", "delete", "space",
  ]

  static func isTerminalName(_ name: String) -> Bool {
    terminalWords.contains(name) || (name.utf8.count == 1 && name.utf8.allSatisfy { (0x21...0x7E).contains($0) })
  }

  static func isAxis(_ name: String) -> Bool { name.hasPrefix("REL_") || name.hasPrefix("ABS_") }

  static func target(_ text: String, isAxis: Bool) -> Board.KeyTarget? {
    if isAxis { return TextRule.isName(text) ? .axis(text) : nil }
    if text.hasSuffix("+") || text.hasSuffix("-") {
      let name = String(text.dropLast())
      return TextRule.isName(name) ? .click(name, isClockwise: text.hasSuffix("+")) : nil
    }
    return TextRule.isName(text) ? .button(text) : nil
  }
}

import Glibc

enum TextColumns {
  /// Returns the columns of a terminal that a line may fill without wrapping; 79 if unknown.
  static func ofTerminal(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 79 }
    return Int(size.ws_col) - 1
  }

  /// Cuts text to `width` columns, with "…" at the end.
  static func cut(_ text: String, to width: Int) -> String {
    guard count(text) > width else { return text }
    var (kept, left) = ("", width - 1)
    for character in text {
      left -= count(character)
      if left < 0 { break }
      kept.append(character)
    }
    while kept.last == " " { kept.removeLast() }
    return kept + "…"
  }

  /// Returns text in lines of at most `width` columns, broken at spaces. A longer word has its own line.
  static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, count(last) + 1 + count(String(word)) <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Cuts or pads text to `width` columns.
  static func fit(_ text: String, to width: Int) -> String {
    let text = cut(text, to: width)
    return text + String(repeating: " ", count: max(0, width - count(text)))
  }

  static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

  /// Returns 2 for characters in blocks with East Asian letters or pictures (UAX #11), otherwise 1.
  private static func count(_ character: Character) -> Int {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}

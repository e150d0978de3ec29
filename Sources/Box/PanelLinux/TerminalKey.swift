/// A key of a terminal.
public enum TerminalKey: Hashable, Sendable {
  case up, down, left, right
  case enter, escape, tab, backspace, delete, insert, home, end, pageUp, pageDown
  /// The character that a key writes; a control character is its lower-case letter with `isControl`.
  case character(Character, isControl: Bool)

  /// A key that writes a character.
  public static func character(_ character: Character) -> TerminalKey { .character(character, isControl: false) }
}

/// Parses keys from a terminal's bytes (ECMA-48, xterm's control sequences).
struct KeyParser {
  private enum State {
    case ground
    case escape
    case sequence([UInt8])
    /// One more byte belongs to the key (ESC O).
    case single
    /// Inside a UTF-8 character, with the number of missing bytes.
    case text([UInt8], missing: Int)
  }

  private var state = State.ground
  /// Maximum length of a key's sequence in bytes.
  private static let maxLength = 16

  /// True inside a key; a pause without bytes ends the key.
  var isOpen: Bool { if case .ground = state { false } else { true } }

  /// Ends the current key: an escape without a following byte is the Escape key.
  mutating func end() -> TerminalKey? {
    defer { state = .ground }
    if case .escape = state { return .escape }
    return nil
  }

  mutating func process(_ byte: UInt8) -> TerminalKey? {
    switch state {
    case .ground: return begin(byte)
    case .escape: return escaped(byte)
    case .single:
      state = .ground
      return Self.final(byte)
    case .sequence(let parameters):
      if byte < 0x40 && byte >= 0x20 {
        state = parameters.count < Self.maxLength ? .sequence(parameters + [byte]) : .ground
        return nil
      }
      state = .ground
      return byte == 0x7E ? Self.numbered(parameters) : Self.final(byte)
    case .text(let bytes, let missing):
      guard byte & 0xC0 == 0x80 else {
        state = .ground
        return begin(byte)
      }
      state = missing > 1 ? .text(bytes + [byte], missing: missing - 1) : .ground
      return missing > 1 ? nil : Self.character(bytes + [byte])
    }
  }

  private mutating func begin(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case 0x1B: state = .escape
    case 0x0A, 0x0D: return .enter
    case 0x09: return .tab
    case 0x08, 0x7F: return .backspace
    case 0x01...0x1A: return .character(Character(UnicodeScalar(byte | 0x60)), isControl: true)
    case 0x20..<0x7F: return .character(Character(UnicodeScalar(byte)))
    case 0xC2...0xDF: state = .text([byte], missing: 1)
    case 0xE0...0xEF: state = .text([byte], missing: 2)
    case 0xF0...0xF4: state = .text([byte], missing: 3)
    default: break
    }
    return nil
  }

  private mutating func escaped(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case UInt8(ascii: "["): state = .sequence([])
    case UInt8(ascii: "O"): state = .single
    case 0x1B: return .escape
    default:
      // Alt with a key counts as the key.
      state = .ground
      return begin(byte)
    }
    return nil
  }

  private static func final(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "Z"): .tab
    default: nil
    }
  }

  private static func numbered(_ parameters: [UInt8]) -> TerminalKey? {
    let digits = parameters.prefix { (0x30...0x39).contains($0) }
    return switch String(decoding: digits, as: UTF8.self) {
    case "1", "7": .home
    case "2": .insert
    case "3": .delete
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }

  private static func character(_ bytes: [UInt8]) -> TerminalKey? {
    guard let text = String(validating: bytes, as: UTF8.self), text.count == 1, let character = text.first else {
      return nil
    }
    return .character(character)
  }
}

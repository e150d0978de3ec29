/// The fields of an automation system in the text of a title: `name="value"`, separated by blanks or commas. A quote
/// ends a value only before another field or the end, because few systems escape quotes. Linear time.
struct QuotedFields {
  /// The text before the first field.
  private(set) var lead = ""
  private var fields: [(name: String, value: String)] = []

  private static let maxFieldCount = 64
  private static let maxNameLength = 32
  private static let maxSeparatorCount = 8
  /// Fields that may follow other text.
  private static let starts = ["text=\"", "song_spot=\""]

  /// Nil if the text neither begins with a field nor contains one of `starts`.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let start = Self.start(bytes) else { return nil }
    lead = String(decoding: bytes[..<start], as: UTF8.self)
    var rest = bytes[start...]
    while fields.count < Self.maxFieldCount, let name = Self.name(&rest) {
      fields.append((name, Self.value(&rest)))
    }
  }

  /// The value of the first field with a name, in lower case; nil without one.
  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  private static func start(_ bytes: [UInt8]) -> Int? {
    let ink = bytes.prefix { $0 == UInt8(ascii: " ") }.count
    let name = bytes[ink...].prefix(maxNameLength).prefix(while: isNameByte)
    if !name.isEmpty, bytes[name.endIndex...].starts(with: "=\"".utf8) { return ink }
    return bytes.indices.first { index in
      (index == 0 || bytes[index - 1] == UInt8(ascii: " "))
        && starts.contains { bytes[index...].starts(with: $0.utf8) }
    }
  }

  /// Removes the next field's name and its "="; nil if no field follows.
  private static func name(_ rest: inout ArraySlice<UInt8>) -> String? {
    let ink = rest.drop(while: isSeparator)
    let name = ink.prefix(maxNameLength).prefix(while: isNameByte)
    guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "=") else { return nil }
    rest = rest[name.endIndex...].dropFirst()
    return String(decoding: name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Removes a value. Without quotes it ends before a comma.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
    guard rest.first == quote else {
      let value = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest[value.endIndex...]
      return String(decoding: value, as: UTF8.self)
    }
    var value: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first.map({ $0 == quote || $0 == byte }) ?? true {
        if let next = rest.popFirst() { value.append(next) }
      } else if byte == quote, endsValue(rest) {
        break
      } else {
        value.append(byte)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }

  private static let quote = UInt8(ascii: "\"")

  /// True if the text ends, or a separator and another field follow.
  private static func endsValue(_ rest: ArraySlice<UInt8>) -> Bool {
    let separators = rest.prefix(maxSeparatorCount).prefix(while: isSeparator)
    guard separators.endIndex < rest.endIndex else { return true }
    let name = rest[separators.endIndex...].prefix(maxNameLength).prefix(while: isNameByte)
    return !separators.isEmpty && !name.isEmpty && name.endIndex < rest.endIndex
      && rest[name.endIndex] == UInt8(ascii: "=")
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
    default: false
    }
  }
}

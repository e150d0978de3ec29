import Units

/// The attributes of a tag (RFC 8216, 4.2): `NAME=value,OTHER="a, b"`. Text without "=" is skipped.
struct AttributeList: Sequence, IteratorProtocol {
  struct Attribute {
    /// At most 64 bytes, in the original case.
    let name: String
    /// The value without its quotes.
    let bytes: ArraySlice<UInt8>

    var text: String? { bytes.isEmpty ? nil : bytes.decoded }
    var isYes: Bool { bytes.count == 3 && bytes.begins(anyCase: "yes") }
  }

  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  mutating func next() -> Attribute? {
    while !rest.isEmpty {
      let end = rest.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ",") } ?? rest.endIndex
      let name = rest[..<end].trimmed
      let isNamed = end < rest.endIndex && rest[end] == UInt8(ascii: "=")
      rest = rest[end...].dropFirst()
      guard isNamed else { continue }
      let value = value()
      if !name.isEmpty, name.count <= Self.maxNameLength {
        return Attribute(name: String(decoding: name, as: UTF8.self), bytes: value)
      }
    }
    return nil
  }

  /// The last attribute with a name; nil without one.
  subscript(name: String) -> Attribute? { reduce(nil) { $1.name == name ? $1 : $0 } }

  private mutating func value() -> ArraySlice<UInt8> {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.first == UInt8(ascii: "\"") else {
      let value = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest[value.endIndex...].dropFirst()
      return value.trimmed
    }
    let value = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
    rest = rest[value.endIndex...].drop { $0 != UInt8(ascii: ",") }.dropFirst()
    return value
  }

  private static let maxNameLength = 64
}

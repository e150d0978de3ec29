/// The value of a key (TOML 1.0).
enum TomlValue: Sendable {
  case text(String)
  case integer(Int64)
  case number(Double)
  case flag(Bool)
  case array([TomlEntry])
  case table(TomlTable)
  /// A date or a time; no setting has this type.
  case moment

  var text: String? { if case .text(let text) = self { text } else { nil } }

  func whole(in range: ClosedRange<Int>) -> Int? {
    guard case .integer(let integer) = self, let whole = Int(exactly: integer) else { return nil }
    return range.contains(whole) ? whole : nil
  }

  /// The value as text for an error message. For a list, a table or a date, only the type.
  var words: String {
    switch self {
    case .text(let text): text.quoted
    case .integer(let integer): String(integer)
    case .number(let number): number.plain
    case .flag(let flag): flag ? "true" : "false"
    case .array: "a list"
    case .table: "a table"
    case .moment: "a date or time"
    }
  }
}

/// A value with its key and its position in the file. If the value is an element of an array, the key is empty.
struct TomlEntry: Sendable {
  let key: String
  /// The line of the key, from 1.
  let line: Int
  let column: Int
  let lastLine: Int
  let value: TomlValue
}

/// A table. The entries have the file's order.
struct TomlTable: Sendable {
  let entries: [TomlEntry]

  subscript(_ key: String) -> TomlEntry? { entries.first { $0.key == key } }
}

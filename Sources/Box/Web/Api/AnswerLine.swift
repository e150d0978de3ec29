/// A line of a control-protocol reply: `key: value`.
struct AnswerLine: Equatable {
  let key: String
  let value: String

  init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }

  /// Parses a line; nil if invalid. One blank after the colon belongs to the protocol, others to the value.
  init?(_ line: String) {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, line[..<colon].utf8.allSatisfy(Self.isOfKey)
    else { return nil }
    let value = line[line.index(after: colon)...]
    self.init(String(line[..<colon]), String(value.hasPrefix(" ") ? value.dropFirst() : value))
  }

  private static func isOfKey(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }
}

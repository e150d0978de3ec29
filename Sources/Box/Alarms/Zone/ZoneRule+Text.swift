extension ZoneRule {
  /// Reads a POSIX TZ string, such as "CET-1CEST,M3.5.0,M10.5.0/3"; nil if invalid.
  init?(_ text: some Collection<UInt8>) {
    var text = ZoneRuleText(text)
    guard text.skipName(), let standard = text.offset() else { return nil }
    if text.isAtEnd {
      self.init(standard: -standard)
      return
    }
    guard text.skipName() else { return nil }
    var other = standard - 3_600
    if !text.isAt(UInt8(ascii: ",")) {
      guard let offset = text.offset() else { return nil }
      other = offset
    }
    guard let begin = text.change(), let end = text.change(), text.isAtEnd else { return nil }
    self.init(standard: -standard, summer: (-other, begin, end))
  }
}

/// Reads a POSIX TZ string from left to right.
private struct ZoneRuleText {
  private let bytes: [UInt8]
  private var place = 0

  private static let maxHours = 167

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes.prefix(128)) }

  var isAtEnd: Bool { place == bytes.count }

  func isAt(_ byte: UInt8) -> Bool { place < bytes.count && bytes[place] == byte }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard isAt(byte) else { return false }
    place += 1
    return true
  }

  /// Skips the name of an offset: letters, or any text in angle brackets.
  mutating func skipName() -> Bool {
    let start = place
    if skip(UInt8(ascii: "<")) {
      while place < bytes.count, !isAt(UInt8(ascii: ">")) { place += 1 }
      return skip(UInt8(ascii: ">"))
    }
    while place < bytes.count, (0x41...0x5A).contains(bytes[place] & 0xDF) { place += 1 }
    return place - start >= 3
  }

  /// Reads a signed time, in seconds.
  mutating func offset() -> Int? {
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    guard let hours = number(Self.maxHours) else { return nil }
    var seconds = hours * 3_600
    for unit in [60, 1] {
      guard skip(UInt8(ascii: ":")) else { break }
      guard let part = number(59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func change() -> ZoneRule.Change? {
    guard skip(UInt8(ascii: ",")), let day = day() else { return nil }
    guard skip(UInt8(ascii: "/")) else { return ZoneRule.Change(day: day, seconds: 7_200) }
    return offset().map { ZoneRule.Change(day: day, seconds: $0) }
  }

  private mutating func day() -> ZoneRule.Day? {
    if skip(UInt8(ascii: "J")) { return number(365).flatMap { $0 > 0 ? .julian($0) : nil } }
    guard skip(UInt8(ascii: "M")) else { return number(365).map { .ordinal($0) } }
    guard let month = number(12), month > 0, skip(UInt8(ascii: ".")), let week = number(5), week > 0,
      skip(UInt8(ascii: ".")), let weekday = number(6)
    else { return nil }
    return .weekday(month, week, weekday)
  }

  private mutating func number(_ most: Int) -> Int? {
    let start = place
    var value = 0
    while place < bytes.count, (0x30...0x39).contains(bytes[place]), value <= most {
      value = value * 10 + Int(bytes[place] - 0x30)
      place += 1
    }
    return place > start && value <= most ? value : nil
  }
}

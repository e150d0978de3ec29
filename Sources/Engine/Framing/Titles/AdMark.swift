import Units

/// A station's mark of an ad: its beginning or its end (B4).
public enum AdMark: Hashable, Sendable {
  /// The ad begins, or continues with the rest of its length.
  case begin(AdBreak)
  /// The ad ends.
  case end
}

extension AdMark {
  /// Reads a title that only marks an ad; nil for any other text.
  package init?(sent text: String) {
    guard let fields = QuotedFields(text) else {
      self.init(CharacterReference.decoded(text))
      return
    }
    if SentTitle.isSong(fields) {
      guard let title = SentTitle.title(of: fields) else { return nil }
      self.init(title)
    } else {
      self = .begin(AdBreak(fields))
    }
  }

  /// Reads a text that automation systems send instead of a title, such as "STOP ADBREAK 1" or "Advertisement_Stop".
  init?(_ text: String) {
    if text.utf8.prefix(6).map({ $0 | 0x20 }) == Array("adwtag".utf8) {
      self = .begin(AdBreak(.spot))
      return
    }
    guard text.utf8.count <= Self.maxTextLength, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
    let words = text.utf8.split { !isLetter($0) }.map { String(decoding: $0.map { $0 | 0x20 }, as: UTF8.self) }
    guard Self.matches(words, text) else { return nil }
    let length = text.split(separator: "=").last.flatMap { AdBreak.length(of: $0) }
    self = words.contains { $0 == "stop" || $0 == "end" } ? .end : .begin(AdBreak(.spot, length: length))
  }

  private static func matches(_ words: [String], _ text: String) -> Bool {
    guard !words.isEmpty, words.allSatisfy({ ads.contains($0) || others.contains($0) }) else { return false }
    if words.contains("spot") { return words.contains("block") }
    if words == ["ad"] { return text.utf8.contains { (0x30...0x39).contains($0) } }
    return words.contains { ads.contains($0) }
  }

  private static let maxTextLength = 80
  private static let ads: Set = [
    "ad", "ads", "adbreak", "advert", "adverts", "advertisement", "advertisements", "advertising", "commercial",
    "commercials",
  ]
  private static let others: Set = [
    "start", "stop", "end", "begin", "break", "block", "spot", "length", "duration", "live", "main",
  ]
}

extension AdBreak {
  /// Reads the fields of an automation system. `length` is "00:00:30" or seconds, `durationMilliseconds` a number.
  init(_ fields: QuotedFields) {
    let details = fields["url"].flatMap { QuotedFields($0) } ?? fields
    let clock = (fields["length"] ?? details["length"]).flatMap { Self.length(of: $0[...]) }
    let milliseconds = (fields["durationmilliseconds"] ?? details["durationmilliseconds"]).flatMap { Int($0) }
    self.init(.spot, length: milliseconds.flatMap { Self.length(milliseconds: $0) } ?? clock)
  }

  /// Returns a length of up to an hour; nil for any other number.
  static func length(milliseconds: Int) -> StreamTime? {
    1...3_600_000 ~= milliseconds ? StreamTime(seconds: Double(milliseconds) / 1_000) : nil
  }

  /// Reads "00:03:51.5", "03:51" or "231"; nil for any other text, and for more than a day.
  static func length(of text: Substring) -> StreamTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3 else { return nil }
    var sum = 0.0
    for part in parts {
      let isNumber = part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
      guard isNumber, part.utf8.count <= 8, let number = Double(part) else { return nil }
      sum = sum * 60 + number
    }
    return sum <= 86_400 ? StreamTime(seconds: sum) : nil
  }
}

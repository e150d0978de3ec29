/// Texts that automation systems send instead of a title, such as "STOP ADBREAK 1" or "Advertisement_Stop".
enum AdMark {
  /// True if the text only marks an ad or its end.
  static func matches(_ text: String) -> Bool {
    if text.utf8.prefix(6).map({ $0 | 0x20 }) == Array("adwtag".utf8) { return true }
    guard text.utf8.count <= maxLength, text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
    let words = text.utf8.split { !isLetter($0) }.map { String(decoding: $0.map { $0 | 0x20 }, as: UTF8.self) }
    guard !words.isEmpty, words.allSatisfy({ ads.contains($0) || others.contains($0) }) else { return false }
    if words.contains("spot") { return words.contains("block") }
    if words == ["ad"] { return text.utf8.contains { (0x30...0x39).contains($0) } }
    return words.contains { ads.contains($0) }
  }

  private static let maxLength = 80
  private static let ads: Set = [
    "ad", "ads", "adbreak", "advert", "adverts", "advertisement", "advertisements", "advertising", "commercial",
    "commercials",
  ]
  private static let others: Set = [
    "start", "stop", "end", "begin", "break", "block", "spot", "length", "duration", "live", "main",
  ]
}

import Units

/// The fields of an ICY metadata block, such as `StreamTitle='Artist - Title';`. Fields are ranges of bytes: the
/// encoding is detected later. Servers do not escape quotes: `';` or `";` ends a value before another key or the end.
public struct IcyMetadata: Hashable, Sendable {
  /// Range of the title in the block; nil if the block has no title, empty if its title is empty.
  public private(set) var title: Range<Int>?
  /// Range of the `StreamUrl` in the block.
  public private(set) var url: Range<Int>?
  /// The ad that the block announces (`adw_ad='true'`, `durationMilliseconds`, `insertionType`); nil without an ad.
  public var ad: AdBreak? { isAdvertisement ? AdBreak(isPreroll ? .preroll : .midroll, length: adLength) : nil }
  private var isAdvertisement = false
  private var isPreroll = false
  private var adLength: StreamTime?

  /// Parses `block`, which may be padded with zero bytes.
  public init(parsing block: Span<UInt8>) {
    var end = block.count
    while end > 0, block[end - 1] <= 0x20 { end -= 1 }
    let text = block.extracting(0..<end)
    var place = 0
    while let key = Self.key(text, at: place) {
      let (value, next) = Self.value(text, at: key.end)
      switch key.name {
      case .title: title = title ?? value
      case .url: url = url ?? value
      case .advertisement: isAdvertisement = Self.equal(text.extracting(value), "true")
      case .insertion: isPreroll = Self.equal(text.extracting(value), "preroll")
      case .milliseconds: adLength = Self.number(text.extracting(value)).flatMap { AdBreak.length(milliseconds: $0) }
      case .other: break
      }
      place = next
    }
  }

  private enum Name {
    case title
    case url
    case advertisement
    case insertion
    case milliseconds
    case other
  }

  /// Skips up to four spaces or semicolons. Also returns the position of the value.
  private static func key(_ text: Span<UInt8>, at place: Int) -> (name: Name, end: Int)? {
    var start = place
    let last = min(place + 4, text.count)
    while start < last, text[start] <= 0x20 || text[start] == UInt8(ascii: ";") { start += 1 }
    var end = start
    while end < text.count, isKeyByte(text[end]) { end += 1 }
    guard end > start, end < text.count, text[end] == UInt8(ascii: "=") else { return nil }
    let key = text.extracting(start..<end)
    return (name(key), end + 1)
  }

  private static func name(_ key: Span<UInt8>) -> Name {
    if equal(key, "streamtitle") { return .title }
    if equal(key, "streamurl") { return .url }
    if equal(key, "adw_ad") { return .advertisement }
    if equal(key, "insertiontype") { return .insertion }
    return equal(key, "durationmilliseconds") ? .milliseconds : .other
  }

  private static func value(_ text: Span<UInt8>, at place: Int) -> (value: Range<Int>, next: Int) {
    let quote = place < text.count && (text[place] == 0x27 || text[place] == 0x22) ? text[place] : nil
    let start = quote == nil ? place : place + 1
    for index in start..<max(start, text.count) where text[index] == UInt8(ascii: ";") {
      let isQuoted = quote != nil && index > start && text[index - 1] == quote
      let isLast = index == text.count - 1
      let follower = isLast ? nil : key(text, at: index + 1)
      // If the closing quote is missing, only a known key ends a quoted value.
      let ends = isQuoted || quote == nil ? isLast || follower != nil : follower.map { $0.name != .other } ?? isLast
      if ends { return (start..<(isQuoted ? index - 1 : index), index + 1) }
    }
    let isQuoted = quote != nil && text.count > start && text[text.count - 1] == quote
    return (min(start, text.count)..<(isQuoted ? text.count - 1 : text.count), text.count)
  }

  /// Returns a number of up to nine digits; nil for any other text.
  private static func number(_ bytes: Span<UInt8>) -> Int? {
    guard 1...9 ~= bytes.count else { return nil }
    var number = 0
    for index in bytes.indices {
      guard case 0x30...0x39 = bytes[index] else { return nil }
      number = number * 10 + Int(bytes[index] - 0x30)
    }
    return number
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
    default: false
    }
  }

  private static func equal(_ bytes: Span<UInt8>, _ lowerCase: String) -> Bool {
    guard bytes.count == lowerCase.utf8.count else { return false }
    return zip(bytes.indices, lowerCase.utf8).allSatisfy { bytes[$0] == $1 || bytes[$0] | 0x20 == $1 }
  }
}

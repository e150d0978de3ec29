extension SavedState {
  /// Lines of `key=value`, the first naming the format and the last the checksum of all before it.
  var text: String {
    var lines = [Self.format]
    if let stationURL { lines.append("station_url=\(Self.line(stationURL))") }
    if let stationName { lines.append("station_name=\(Self.line(stationName))") }
    lines.append("volume=\(volume)")
    lines.append("knob=\(knobMode.rawValue)")
    if let scrollMilliseconds { lines.append("scroll_ms=\(scrollMilliseconds)") }
    if let hasIdleClock { lines.append("idle_clock=\(hasIdleClock ? "yes" : "no")") }
    if let face { lines.append("face=\(Self.line(face))") }
    lines.append("muted=\(isMuted ? "yes" : "no")")
    lines.append("standby=\(isStandby ? "yes" : "no")")
    lines.append("clock=\(wallClock)")
    for mark in bookmarks.list {
      lines.append("bookmark=\(String(mark.key, radix: 16)) \(mark.isHeard ? "heard" : String(mark.seconds))")
    }
    let body = lines.joined(separator: "\n") + "\n"
    return body + "checksum=\(Self.checksum(body.utf8))\n"
  }

  /// Reads such text; nil where any of it is not as it was written.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), text.utf8.last == UInt8(ascii: "\n") else { return nil }
    var lines = text.utf8.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard lines.count <= 32 + Bookmarks.most, lines.first == Self.format[...], let last = lines.popLast(),
      last == "checksum=" + Self.checksum(text.utf8.dropLast(last.utf8.count + 1))
    else { return nil }
    self.init()
    for line in lines.dropFirst() {
      guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")),
        take(line[..<equals], String(line[line.utf8.index(after: equals)...]))
      else { return nil }
    }
  }

  private mutating func take(_ key: Substring, _ value: String) -> Bool {
    switch key {
    case "station_url": stationURL = value
    case "station_name": stationName = value
    case "volume":
      guard let number = Int(value), (0...100).contains(number) else { return false }
      volume = number
    case "knob":
      guard let mode = KnobMode(rawValue: value) else { return false }
      knobMode = mode
    case "scroll_ms":
      guard let number = Int(value), (50...5_000).contains(number) else { return false }
      scrollMilliseconds = number
    case "idle_clock": hasIdleClock = value == "yes"
    case "face": face = value
    case "muted": isMuted = value == "yes"
    case "standby": isStandby = value == "yes"
    case "bookmark":
      let words = value.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let key = UInt64(words[0], radix: 16) else { return false }
      let seconds = words[1] == "heard" ? 0 : Int(words[1])
      guard let seconds, seconds >= 0 else { return false }
      bookmarks.append(Bookmark(key: key, seconds: seconds, isHeard: words[1] == "heard"))
    case "clock":
      guard let seconds = Int64(value), seconds >= 0 else { return false }
      wallClock = seconds
    // A later version of the same format may know more.
    default: break
    }
    return true
  }

  private static var format: String { "bakelite-state 1" }

  /// No line may end within a value, nor a file be longer than it is read.
  private static func line(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(4_096)
    return String(String.UnicodeScalarView(scalars))
  }

  /// CRC-32 (ISO 3309) in eight digits.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> String {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    let digits = String(~sum, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

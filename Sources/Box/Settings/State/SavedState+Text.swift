import PanelWords
import Units

/// The file of the saved state.
package typealias StateFile = KeptFile<SavedState>

extension SavedState: KeptContent {
  package static var place: KeptPlace {
    KeptPlace(
      name: "state", byteLimit: 64 << 10, damage: "what it remembers is damaged",
      consequence: "the radio begins as a new one")
  }

  package var fileText: String {
    var lines: [String] = []
    if let url = stationURL.flatMap({ CheckedText.value($0) }) { lines.append("station_url=\(url)") }
    if let stationName { lines.append("station_name=\(CheckedText.value(stationName))") }
    if isFromDirectory { lines.append("station_from=directory") }
    lines.append("volume=\(volume)")
    lines.append("knob=\(knobMode.rawValue)")
    if let face { lines.append("face=\(CheckedText.value(face))") }
    lines.append("muted=\(isMuted ? "yes" : "no")")
    lines.append("intent=\(intent.rawValue)")
    if let sleep { lines.append("sleep=\(sleep.minutes) \(sleep.end ?? 0)") }
    lines.append("clock=\(wallClock)")
    if let alarmsHandled { lines.append("alarms=\(alarmsHandled)") }
    for mark in bookmarks.list {
      lines.append("bookmark=\(String(mark.key, radix: 16)) \(mark.isHeard ? "heard" : String(mark.seconds))")
    }
    return CheckedText.text(Self.format, lines)
  }

  package init?(_ bytes: [UInt8]) {
    guard let pairs = CheckedText.pairs(bytes, Self.format, most: 32 + Bookmarks.maxCount) else { return nil }
    self.init()
    for (key, value) in pairs {
      guard readPair(key, value) else { return nil }
    }
  }

  private mutating func readPair(_ key: Substring, _ value: String) -> Bool {
    switch key {
    case "station_url": stationURL = StationAddress(value)
    case "station_name": stationName = value
    case "station_from": isFromDirectory = value == "directory"
    case "volume":
      guard let number = Int(value), (0...100).contains(number) else { return false }
      volume = number
    case "knob":
      guard let mode = KnobMode(rawValue: value) else { return false }
      knobMode = mode
    case "face": face = value
    case "muted": isMuted = value == "yes"
    case "intent":
      guard let intent = PlaybackIntent(rawValue: value) else { return false }
      self.intent = intent
    // Version 0.2 stored only standby.
    case "standby": if value == "yes" { intent = .standby }
    case "sleep":
      guard let sleep = SavedSleep(value) else { return false }
      self.sleep = sleep
    case "bookmark":
      let words = value.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let key = UInt64(words[0], radix: 16) else { return false }
      let seconds = words[1] == "heard" ? 0 : Int(words[1])
      guard let seconds, seconds >= 0 else { return false }
      bookmarks.append(Bookmark(key: key, seconds: seconds, isHeard: words[1] == "heard"))
    case "clock":
      guard let seconds = Int64(value), seconds >= 0 else { return false }
      wallClock = seconds
    case "alarms":
      guard let seconds = Int64(value) else { return false }
      alarmsHandled = seconds
    // A later version of the format may have more keys.
    default: break
    }
    return true
  }

  private static var format: String { "bakelite-state 1" }
}

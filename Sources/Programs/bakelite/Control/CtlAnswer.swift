import Framing
import Json

struct CtlAnswer {
  private let pairs: [(key: String, value: String)]

  /// Parses lines of `key: value` and skips others.
  init(_ lines: [String]) {
    pairs = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      // The protocol adds one blank; further ones belong to the value, such as a display's row.
      let value = line[line.index(after: colon)...]
      return (String(line[..<colon]), String(value.hasPrefix(" ") ? value.dropFirst() : value))
    }
  }

  /// Parses the lines of a command. Lines of `playlist` start with a position: "0:file: ADDRESS".
  init(_ lines: [String], of command: String) {
    self.init(command == "playlist" ? lines.map { String($0.drop { $0 != ":" }.dropFirst()) } : lines)
  }

  subscript(key: String) -> String? { pairs.first { $0.key == key }?.value }

  // MARK: For programs

  /// The answer in the shape of its command.
  func json(_ shape: CtlShape) -> String {
    switch shape {
    case .object: Self.object(pairs[...])
    case .list(let starts): "[" + objects(starts).map { Self.object($0) }.joined(separator: ",") + "]"
    }
  }

  /// The pairs of each object. Without `starts`, an object starts where a key of the previous object repeats.
  private func objects(_ starts: Set<String>) -> [ArraySlice<(key: String, value: String)>] {
    var places: [Int] = []
    var keys: Set<String> = []
    for (index, pair) in pairs.enumerated() {
      let isStart = starts.isEmpty ? keys.contains(pair.key) : starts.contains(pair.key)
      if index == 0 || isStart {
        places.append(index)
        keys = []
      }
      keys.insert(pair.key)
    }
    return zip(places, places.dropFirst() + [pairs.count]).map { pairs[$0..<$1] }
  }

  /// An object with each key once: of several values only the first counts, except those of `CtlShape.severalValued`.
  private static func object(_ pairs: ArraySlice<(key: String, value: String)>) -> String {
    var line = JsonLine()
    var keys: Set<String> = []
    for (key, value) in pairs where keys.insert(key).inserted {
      if CtlShape.severalValued.contains(key) {
        line.add(key, pairs.filter { $0.key == key }.map(\.value))
      } else {
        line.add(told: key, value)
      }
    }
    return line.line
  }

  // MARK: For people

  var summary: String {
    let isRoom = self["room_connected"] != nil
    let told = isRoom ? (isOn("stream_playing") ? "playing" : "stopped") : self["state"]
    // Only a box retries a station that it gave up.
    let isGivenUp = told == "stopped" && ["playing", "paused"].contains(self["intent"])
    let isRetrying = isGivenUp && self["standby"] != nil && self["fault"] != nil
    let state = isOn("standby") ? "standby" : isRetrying ? "retrying" : told ?? "stopped"
    let station = isRoom ? self["stream_station"] ?? "no station at the snapserver" : self["station"] ?? "no station"
    var lines = ["\(word(state)): \(station)"]
    if isRoom { lines.append("Room: \(self["room"] ?? "not known to the snapserver")") }
    if let time = self["suspended_for"] {
      let left = Double(time).map { LiveText.clock($0) } ?? time
      lines.append("Guest: \(self["suspended_by"] ?? "another program") uses the sound device, for at most \(left)")
    }
    if let source { lines.append(source) }
    if let title = self["title"] ?? self["stream_title"], !title.isEmpty { lines.append("Title: \(title)") }
    if self["state"] != "stopped" { lines += place }
    if let volume = self["volume"] { lines.append("Volume: \(volume) %" + (isOn("muted") ? ", muted" : "")) }
    if let minutes = self["sleep_minutes"] { lines.append("Sleep: in \(minutes) min") }
    if let path = self["recording"] { lines.append("Recording: \(path), \(clock("recording_seconds"))") }
    if let link = self["mqtt"] {
      lines.append("Home Assistant: \(link)" + (self["mqtt_fault"].map { "; \($0)" } ?? ""))
    }
    if isRoom, let problem = self["problem"] { lines.append("Trouble: \(problem)") }
    if let error = self["error"], self["state"] != "stopped" || self["intent"] == nil || isGivenUp {
      lines.append((self["state"] == "stopped" ? "Failed: " : "Trouble: ") + error)
    }
    return lines.joined(separator: "\n")
  }

  /// The source that replaces the station, with the reason and the next attempt; nil while the station is the source.
  private var source: String? {
    guard let name = self["source"] else { return self["source_reason"].map { "Lower bit rate: \($0)" } }
    let next = self["source_next"].flatMap { Double($0) }
    let tried = next.map { $0 > 0 ? "tried again in \(LiveText.clock($0))" : "being received" }
    // A fault is the fault of the address before, but a slow line is still slow.
    let isPast = self["source_kind"] == "address" && self["source_cause"] != "slowLine"
    let why = self["source_reason"].map { isPast ? "Before: \($0)" : $0 }
    let reason = [why, tried.map { "The station is \($0)." }].compactMap { $0 }.joined(separator: " ")
    return "Source: \(name), for \(clock("source_for"))" + (reason.isEmpty ? "" : ". \(reason)")
  }

  /// The buffered time, with the position in a file or the delay to live.
  private var place: [String] {
    let sound = [self["codec"], self["bitrate"].map { "\($0) kbit/s" }].compactMap { $0 }.joined(separator: ", ")
    let tail = sound.isEmpty ? "" : "; \(sound)"
    guard self["live"] == "0" else { return ["Buffer: \(clock("held")), \(clock("timeshift")) behind live" + tail] }
    let length = self["duration"] == nil ? "" : " of \(clock("duration"))"
    return ["Position: \(clock("position"))\(length)", "Buffer: \(clock("held"))" + tail]
  }

  private func isOn(_ key: String) -> Bool { self[key] == "1" }

  /// One line per episode: number, date, length and title.
  var episodes: String {
    objects(["episode"]).map { object in
      let value = { (key: String) in object.first { $0.key == key }?.value }
      let length = value("duration").flatMap { Double($0) }.map { LiveText.clock($0) }
      let parts = [value("episode"), value("date"), length, value("title") ?? value("url")]
      return parts.compactMap { $0 }.joined(separator: "  ")
    }
    .joined(separator: "\n")
  }

  private func word(_ state: String) -> String { state.prefix(1).uppercased() + state.dropFirst() }

  private func clock(_ key: String) -> String { LiveText.clock(self[key].flatMap { Double($0) } ?? 0) }
}

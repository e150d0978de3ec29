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

  subscript(key: String) -> String? { pairs.first { $0.key == key }?.value }

  // MARK: For programs

  /// The answer as an object, or as a list of objects if keys repeat. Each object starts with the first key.
  ///
  /// The answer of `radio_find` is always a list: the number of stations, then each station.
  var json: String {
    guard isFinding || Set(pairs.map(\.key)).count < pairs.count else { return Self.object(pairs[...]) }
    return "[" + objects.map { Self.object($0) }.joined(separator: ",") + "]"
  }

  /// The pairs of each object. An object starts with the first key, a station of `radio_find` with `file`.
  private var objects: [ArraySlice<(key: String, value: String)>] {
    let first = isFinding ? "file" : pairs.first?.key
    let starts = pairs.indices.filter { $0 == 0 || pairs[$0].key == first } + [pairs.count]
    return zip(starts, starts.dropFirst()).map { pairs[$0..<$1] }
  }

  private var isFinding: Bool { pairs.first?.key == "found" }

  private static func object(_ pairs: ArraySlice<(key: String, value: String)>) -> String {
    var line = JsonLine()
    for (key, value) in pairs { line.add(told: key, value) }
    return line.line
  }

  // MARK: For people

  var summary: String {
    let isRoom = self["room_connected"] != nil
    let told = isRoom ? (isOn("stream_playing") ? "playing" : "stopped") : self["state"]
    let state = isOn("standby") ? "standby" : told ?? "stopped"
    let station = isRoom ? self["stream_station"] ?? "no station at the snapserver" : self["station"] ?? "no station"
    var lines = ["\(word(state)): \(station)"]
    if isRoom { lines.append("Room: \(self["room"] ?? "not known to the snapserver")") }
    if let time = self["suspended_for"] {
      let left = Double(time).map { LiveText.clock($0) } ?? time
      lines.append("Guest: \(self["suspended_by"] ?? "another program") uses the sound device, for at most \(left)")
    }
    if let title = self["title"] ?? self["stream_title"], !title.isEmpty { lines.append("Title: \(title)") }
    if self["state"] != "stopped" { lines += place }
    if let volume = self["volume"] { lines.append("Volume: \(volume) %" + (isOn("muted") ? ", muted" : "")) }
    if let minutes = self["sleep_minutes"] { lines.append("Sleep: in \(minutes) min") }
    if let path = self["recording"] { lines.append("Recording: \(path), \(clock("recording_seconds"))") }
    if let link = self["mqtt"] {
      lines.append("Home Assistant: \(link)" + (self["mqtt_fault"].map { "; \($0)" } ?? ""))
    }
    if isRoom, let problem = self["problem"] { lines.append("Trouble: \(problem)") }
    if let error = self["error"] { lines.append((self["state"] == "stopped" ? "Failed: " : "Trouble: ") + error) }
    return lines.joined(separator: "\n")
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
    objects.map { object in
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

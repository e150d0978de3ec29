import Radio

/// A radio's answer, for people and for programs.
struct CtlAnswer {
  private let pairs: [(key: String, value: String)]

  /// Lines of `key: value`; others are left out.
  init(_ lines: [String]) {
    pairs = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
  }

  /// The value of a key; nil where it does not occur.
  subscript(key: String) -> String? { pairs.first { $0.key == key }?.value }

  // MARK: For programs

  /// An object; where keys come again, a list of objects, each of which begins with the first key.
  var json: String {
    guard Set(pairs.map(\.key)).count < pairs.count else { return Self.object(pairs[...]) }
    return "[" + objects.map { Self.object($0) }.joined(separator: ",") + "]"
  }

  /// The pairs of each object: it begins with the first key.
  private var objects: [ArraySlice<(key: String, value: String)>] {
    let starts = pairs.indices.filter { pairs[$0].key == pairs[0].key } + [pairs.count]
    return zip(starts, starts.dropFirst()).map { pairs[$0..<$1] }
  }

  private static func object(_ pairs: ArraySlice<(key: String, value: String)>) -> String {
    var line = JsonLine()
    for (key, value) in pairs {
      if flags.contains(key) {
        line.add(key, value == "1")
      } else if numbers.contains(key), let number = Int(value) {
        line.add(key, number)
      } else if numbers.contains(key), let number = Double(value) {
        line.add(key, number)
      } else {
        line.add(key, value)
      }
    }
    return line.line
  }

  private static let flags: Set = ["audible", "seekable", "repeat", "random", "consume", "outputenabled"]
  private static let numbers: Set = [
    "timeshift", "held", "capacity", "blocks_used", "blocks_total", "block_playing", "behind_live", "bitrate",
    "reconnect_attempt", "underruns", "xruns", "rescues", "missed_notices", "lost", "rss_anon", "position", "duration",
    "byte_offset", "episode", "episodes",
    "told_bitrate", "volume", "level_l", "level_r", "peak_l", "peak_r", "playlist", "playlistlength", "mixrampdb",
    "mixrampdelay", "xfade", "song", "songid", "nextsong", "nextsongid", "elapsed", "Pos", "Id", "Prio", "Time",
    "outputid", "uptime", "playtime", "cpos",
  ]

  // MARK: For people

  /// What a listener asks of `status`.
  var summary: String {
    var lines = ["\(word(self["state"] ?? "stopped")): \(self["station"] ?? "no station")"]
    if let title = self["title"] {
      lines.append("Title: \([self["artist"], title].compactMap { $0 }.joined(separator: " - "))")
    }
    if self["state"] != "stopped" {
      let sound = [self["codec"], self["bitrate"].map { "\($0) kbit/s" }].compactMap { $0 }.joined(separator: ", ")
      lines.append("Held: \(clock("held")), \(clock("timeshift")) behind live" + (sound.isEmpty ? "" : "; \(sound)"))
    }
    if let volume = self["volume"] { lines.append("Volume: \(volume) %") }
    if let error = self["error"] { lines.append("Failed: \(error)") }
    return lines.joined(separator: "\n")
  }

  /// A line for each episode: its number, date, length and title.
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

  private func clock(_ key: String) -> String {
    let seconds = Int(self[key].flatMap { Double($0) } ?? 0)
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }
}

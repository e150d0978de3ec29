/// The radio's metrics in Prometheus text format 0.0.4, without titles and addresses.
struct MetricsText {
  private(set) var text = ""

  private enum Kind: String {
    case gauge, counter
  }

  private typealias Figure = (key: String, name: String, kind: Kind, help: String, factor: Double)

  private static let figures: [Figure] = [
    ("audible", "audible", .gauge, "Whether sound comes.", 1),
    ("muted", "muted", .gauge, "Whether the sound is turned off.", 1),
    ("volume", "volume_percent", .gauge, "The volume, 0 to 100.", 1),
    ("held", "held_seconds", .gauge, "Buffered audio that was not played yet.", 1),
    ("capacity", "capacity_seconds", .gauge, "What can be held at the present bit rate.", 1),
    ("timeshift", "timeshift_seconds", .gauge, "Delay between live and the audible position.", 1),
    ("bitrate", "bit_rate_bits_per_second", .gauge, "The bit rate of what plays.", 1_000),
    ("reconnect_attempt", "reconnect_attempt", .gauge, "How often the connection was tried again by now.", 1),
    ("underruns", "underruns_total", .counter, "How often the output had nothing to play.", 1),
    ("xruns", "xruns_total", .counter, "How often the sound card ran dry.", 1),
    ("rescues", "rescues_total", .counter, "How often buffered audio was silent for 5 s.", 1),
    ("missed_notices", "missed_notices_total", .counter, "Notices within the radio that found no room.", 1),
    ("lost", "lost_seconds_total", .counter, "Sound that never came after reconnects.", 1),
    ("rss_anon", "radio_memory_bytes", .gauge, "The radio's anonymous memory.", 1_024),
    ("recording_free", "recording_free_bytes", .gauge, "What is free where a recording is written.", 1),
    ("rooms", "rooms", .gauge, "The rooms of the snapserver.", 1),
  ]
  /// The states of a radio, as in `/health`.
  private static let states = [
    "absent", "buffering", "connecting", "muted", "off", "paused", "playing", "room", "stopped", "suspended",
  ]

  init(_ status: StatusSnapshot?, state: String, isHealthy: Bool, pages: Int) {
    add("bakelite_up", .gauge, "Whether the radio answers.", [("", status == nil ? 0 : 1)])
    add("bakelite_healthy", .gauge, "1 if playback is healthy, as in /health, else 0.", [("", isHealthy ? 1 : 0)])
    add(
      "bakelite_state", .gauge, "What the radio does.",
      Self.states.map { ("{state=\"\($0)\"}", $0 == state ? 1 : 0) })
    add("bakelite_web_pages", .gauge, "The pages that are open.", [("", Double(pages))])
    guard let status else { return }
    let (version, codec) = (Self.label(status["version"]), Self.label(status["codec"]))
    add(
      "bakelite_info", .gauge, "The radio's version, and the codec of what plays.",
      [("{version=\"\(version)\",codec=\"\(codec)\"}", 1)])
    for figure in Self.figures {
      guard let value = status.number(figure.key) else { continue }
      add("bakelite_" + figure.name, figure.kind, figure.help, [("", value * figure.factor)])
    }
  }

  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: String, value: Double)])
  {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples { text += "\(name)\(sample.labels) \(Self.plain(sample.value))\n" }
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// A label value: letters, digits and the characters of versions.
  private static func label(_ text: String?) -> String {
    let others = " -._+0123456789".unicodeScalars
    let shown = (text ?? "").unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || others.contains($0))
    }
    return String(String.UnicodeScalarView(shown.prefix(40)))
  }
}

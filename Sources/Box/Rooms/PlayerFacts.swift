import Framing

/// The player properties that a stream reports to a Snapcast server, with MPRIS names.
struct PlayerFacts: Equatable {
  enum Playback: String {
    case playing, paused, stopped
  }

  var isThere = false
  var playback = Playback.stopped
  /// Volume in percent; nil if unknown.
  var volume: Int?
  /// The title of the audible song. If the station sends no separate artist, the station's whole text.
  var title: String?
  var artist: String?
  var station: String?
  var genre: String?
  var isLive: Bool?
  /// Length of a file in seconds.
  var duration: Double?
  var isSeekable = false
  /// Position in a file, in seconds. The script does not report its progress during playback.
  var position: Double?

  init() {}

  /// Parses the lines of `radio_status`, which have the form `key: value`. The first line of each key counts.
  init(status lines: [String]) {
    var values: [Substring: Substring] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...]
      let key = line[..<colon]
      if values[key] == nil { values[key] = value.hasPrefix(" ") ? value.dropFirst() : value }
    }
    isThere = true
    playback = Self.playback(values["state"])
    // The radio is suspended while another program uses the sound card.
    if playback == .playing, values["suspended"] == "1" { playback = .paused }
    volume = values["volume"].flatMap { Int($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
    station = Self.text(values["station"])
    guard playback != .stopped else { return }
    if let artist = Self.text(values["artist"]), let track = Self.text(values["track"]) {
      (self.artist, title) = (artist, track)
    } else {
      title = Self.text(values["title"])
    }
    genre = Self.text(values["genre"])
    isLive = values["live"].map { $0 == "1" }
    if isLive == false {
      duration = Self.seconds(values["duration"])
      position = Self.seconds(values["position"])
    }
    // The radio sends no event when a live station's buffer starts to grow.
    let allowed = [values["rewind_allowed"], values["fast_forward_allowed"]]
    isSeekable = isLive == true || allowed.contains("1")
  }

  private static func playback(_ state: Substring?) -> Playback {
    switch state {
    case "playing", "buffering", "connecting": .playing
    case "paused": .paused
    default: .stopped
    }
  }

  private static func text(_ value: Substring?) -> String? {
    let text = value.map { DisplayText.clean(String($0)) } ?? ""
    return text.isEmpty ? nil : text
  }

  private static func seconds(_ value: Substring?) -> Double? {
    value.flatMap { Double($0) }.flatMap { $0 >= 0 && $0 < 1e9 ? $0 : nil }
  }

  var lasting: PlayerFacts {
    var facts = self
    facts.position = nil
    return facts
  }

  /// The properties as JSON. The metadata is always included, because the server retains old metadata if it is omitted.
  var json: JsonLine {
    var line: JsonLine = ["playbackStatus": playback.rawValue]
    if let volume { line.add("volume", volume) }
    if let position { line.add("position", position) }
    for name in ["canControl", "canPlay", "canPause", "canGoNext", "canGoPrevious"] { line.add(name, isThere) }
    line.add(["canSeek": isThere && isSeekable, "metadata": metadata])
    return line
  }

  private var metadata: JsonLine {
    var line = JsonLine()
    if let title { line.add("title", title) }
    if let artist { line.add("artist", [artist]) }
    if let station { line.add("name", station) }
    if let genre { line.add("genre", [genre]) }
    if let duration { line.add("duration", duration) }
    return line
  }
}

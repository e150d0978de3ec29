import Framing

/// What a Snapcast server is told of the radio: the properties of a stream's player, as MPRIS names them.
struct PlayerFacts: Equatable {
  /// What the radio does.
  enum Playback: String {
    case playing, paused, stopped
  }

  /// Whether the radio is there, so that it can be controlled.
  var isThere = false
  var playback = Playback.stopped
  /// In percent; nil where it is not known.
  var volume: Int?
  /// What is heard, or the whole of what a station tells of it where it names no artist.
  var title: String?
  var artist: String?
  /// The station's name.
  var station: String?
  var genre: String?
  /// Whether a station is live; nil where that is not known.
  var isLive: Bool?
  /// The length of a file in seconds.
  var duration: Double?
  /// Whether the listener can go back or on.
  var isSeekable = false
  /// Where in a file the listener is, in seconds. It goes on by itself, so its changes are no news.
  var position: Double?

  /// A radio that is not there.
  init() {}

  /// What the lines of `radio_status` tell: `key: value`, the first of each key.
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
    // Another program has the sound for a while.
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
    // What is held of a live station grows from nothing at once, and no event tells of that.
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

  /// Text that any client may show; nil where nothing is left of it.
  private static func text(_ value: Substring?) -> String? {
    let text = value.map { DisplayText.clean(String($0)) } ?? ""
    return text.isEmpty ? nil : text
  }

  private static func seconds(_ value: Substring?) -> Double? {
    value.flatMap { Double($0) }.flatMap { $0 >= 0 && $0 < 1e9 ? $0 : nil }
  }

  /// The same without what goes on by itself.
  var lasting: PlayerFacts {
    var facts = self
    facts.position = nil
    return facts
  }

  /// As JSON. A server keeps metadata that it is not told anew: they are always there.
  var json: JsonLine {
    var line = JsonLine()
    line.add("playbackStatus", playback.rawValue)
    if let volume { line.add("volume", volume) }
    if let position { line.add("position", position) }
    for name in ["canControl", "canPlay", "canPause", "canGoNext", "canGoPrevious"] { line.add(name, isThere) }
    line.add("canSeek", isThere && isSeekable)
    line.add("metadata", metadata)
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

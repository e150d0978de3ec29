/// One cell of the table of stalls: a source whose data stands still once, and how the radio is set.
///
/// It is written in one line, such as `live stall=7s@midst blocks=24 fixed 128k line=1.0 restart=none`.
struct StallCase: Hashable, Sendable {
  /// What is played.
  enum Source: String, CaseIterable, Sendable {
    case live, file
    /// A feed with one enclosure.
    case episode
    /// An M3U of two short files.
    case list
    /// A live HLS station.
    case segments = "hls"
    /// A finished HLS list, which is a file.
    case finished = "hls-file"
  }

  /// What a live station sends after the stall.
  enum Restart: String, CaseIterable, Sendable {
    /// The same programme: only its data stood still.
    case none
    /// The station was away and begins other content.
    case new
    /// The station was away and begins the same content anew.
    case same
    /// The content is a loop, and begins anew.
    case loop
    /// The packager of an HLS station stood still, and goes on where it was; its server answered meanwhile.
    case pause
  }

  /// When the data stands still. An HLS station's does in a segment, but its packager between two.
  enum Moment: Hashable, Sendable {
    /// Before the first sound is due. In a list: in its first file.
    case start
    /// While it sounds. In a list: between its files.
    case midst
    /// Shortly before the last bytes. A live connection ends or restarts then; in a list: in its last file; at an HLS
    /// station: in its list.
    case end
    /// After so many seconds of sound.
    case at(Double)
  }

  var source = Source.live
  /// Seconds for which nothing comes; 0 for none.
  var stall = 1.0
  var moment = Moment.midst
  var blocks = 1_200
  var isFixed = false
  /// kbit/s: of MP3, or `StallMaterial.flac`.
  var kilobits = 128
  /// How fast data comes otherwise, in bit rates of the sound.
  var line = 1.0
  var restart = Restart.none
  /// What both wait times are set to; nil: the defaults.
  var wait: Double?

  /// Whether it has no end.
  var isLive: Bool { source == .live || source == .segments }
}

extension StallCase: CustomStringConvertible {
  /// The case in one line.
  var description: String {
    var words = [
      source.rawValue, "stall=\(Self.short(stall))s@\(moment)", "blocks=\(blocks)", isFixed ? "fixed" : "adaptive",
      "\(kilobits)k", "line=\(line)",
    ]
    if isLive { words.append("restart=\(restart.rawValue)") }
    if let wait { words.append("wait=\(Self.short(wait))") }
    return words.joined(separator: " ")
  }

  /// Reads what `description` writes; nil where it is none.
  init?(_ text: String) {
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard set(String(parts[0]), parts.count == 2 ? String(parts[1]) : nil) else { return nil }
    }
  }

  private mutating func set(_ name: String, _ value: String?) -> Bool {
    switch (name, value) {
    case ("adaptive", nil): isFixed = false
    case ("fixed", nil): isFixed = true
    case ("stall", .some(let value)):
      let parts = value.split(separator: "@")
      guard parts.count == 2, parts[0].hasSuffix("s"), let seconds = Double(parts[0].dropLast()),
        let moment = Moment(String(parts[1]))
      else { return false }
      (stall, self.moment) = (seconds, moment)
    case ("blocks", .some(let value)): return Int(value).map { blocks = $0 } != nil
    case ("line", .some(let value)): return Double(value).map { line = $0 } != nil
    case ("wait", .some(let value)): return Double(value).map { wait = $0 } != nil
    case ("restart", .some(let value)): return Restart(rawValue: value).map { restart = $0 } != nil
    default:
      if let source = Source(rawValue: name) {
        self.source = source
      } else if name.hasSuffix("k"), let kilobits = Int(name.dropLast()) {
        self.kilobits = kilobits
      } else {
        return false
      }
    }
    return true
  }

  /// "7" or "2.6".
  static func short(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }
}

extension StallCase.Moment: CustomStringConvertible {
  /// As it stands in a case's line.
  var description: String {
    switch self {
    case .start: "start"
    case .midst: "midst"
    case .end: "end"
    case .at(let seconds): "\(StallCase.short(seconds))s"
    }
  }

  /// Reads what `description` writes; nil where it is none.
  init?(_ text: String) {
    switch text {
    case "start": self = .start
    case "midst": self = .midst
    case "end": self = .end
    default:
      guard text.hasSuffix("s"), let seconds = Double(text.dropLast()) else { return nil }
      self = .at(seconds)
    }
  }
}

/// One case of the stall table: a source whose data stalls once, and the radio's settings.
///
/// The text form is such as `live stall=7s@midst blocks=24 fixed 128k line=1.0 restart=none`.
struct StallCase: Hashable, Sendable {
  enum Source: String, CaseIterable, Sendable {
    case live, file
    case episode
    case list
    case segments = "hls"
    /// A complete HLS playlist, which is a file.
    case finished = "hls-file"
  }

  enum Restart: String, CaseIterable, Sendable {
    /// The same programme without a restart.
    case none
    /// Other content after a restart.
    case new
    /// The same content from its beginning after a restart.
    case same
    /// A loop from its beginning after a restart.
    case loop
    /// An HLS packager continues after a stop; its server responded meanwhile.
    case pause
  }

  /// The requests that precede the data.
  enum Access: String, CaseIterable, Sendable {
    /// Data without further requests.
    case open
    /// A redirect sets a cookie that all later requests need.
    case cookie
    /// An HLS master playlist issues sessions; a session is gone after the stall. Other sources use `expiring`.
    case session
    /// A redirect leads to an address that expires with the stall.
    case expiring
  }

  /// The moment of the stall. HLS data stalls in a segment, but a packager stalls between two segments.
  enum Moment: Hashable, Sendable {
    /// Before the first audio is due. In a list: in the first file.
    case start
    /// During playback. In a list: between the files.
    case midst
    /// Shortly before the last bytes. A live connection ends or restarts then. In a list: in the last file. In HLS: in
    /// the playlist.
    case end
    case at(Double)
  }

  var source = Source.live
  /// Seconds without data; 0 for no stall.
  var stall = 1.0
  var moment = Moment.midst
  var blocks = 1_200
  var isFixed = false
  /// MP3 bit rate in kbit/s, or `StallMaterial.flac`.
  var kilobits = 128
  /// Data rate outside the stall, as a multiple of the bit rate.
  var line = 1.0
  var restart = Restart.none
  var access = Access.open
  /// Value for both wait times in seconds; nil for the defaults.
  var wait: Double?

  var isLive: Bool { source == .live || source == .segments }
}

extension StallCase: CustomStringConvertible {
  var description: String {
    var words = [
      source.rawValue, "stall=\(Self.short(stall))s@\(moment)", "blocks=\(blocks)", isFixed ? "fixed" : "adaptive",
      "\(kilobits)k", "line=\(line)",
    ]
    if isLive { words.append("restart=\(restart.rawValue)") }
    if access != .open { words.append("access=\(access.rawValue)") }
    if let wait { words.append("wait=\(Self.short(wait))") }
    return words.joined(separator: " ")
  }

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
    case ("access", .some(let value)): return Access(rawValue: value).map { access = $0 } != nil
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

  /// Formats a number as "7" or "2.6".
  static func short(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }
}

extension StallCase.Moment: CustomStringConvertible {
  var description: String {
    switch self {
    case .start: "start"
    case .midst: "midst"
    case .end: "end"
    case .at(let seconds): "\(StallCase.short(seconds))s"
    }
  }

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

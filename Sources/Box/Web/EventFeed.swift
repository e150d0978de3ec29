import Units

/// What the radio tells by itself over its control socket: events, and which of MPD's subsystems changed.
struct EventFeed {
  /// What came is not of a radio.
  struct Nonsense: Error, Equatable {}

  /// What a line tells.
  enum News: Equatable {
    /// It tells events from now on.
    case ready
    /// An event, an object of JSON.
    case event(String)
    /// A subsystem changed, such as "stored_playlist".
    case changed(String)
  }

  private enum Stage {
    case absent
    case greeting(MonotonicTime)
    case asking(MonotonicTime)
    case listening
  }

  private var stage = Stage.absent
  private var outgoing = ""
  private static let patience = Duration(milliseconds: 5_000)

  /// Whether it tells.
  var isReady: Bool { if case .listening = stage { true } else { false } }

  /// When the radio is given up that says nothing.
  var due: MonotonicTime {
    switch stage {
    case .greeting(let end), .asking(let end): end
    case .absent, .listening: .never
    }
  }

  /// The radio is there.
  mutating func begin(at now: MonotonicTime) { (stage, outgoing) = (.greeting(now + Self.patience), "") }

  /// The radio is gone.
  mutating func end() { self = EventFeed() }

  /// What is to be sent now; empty where nothing is.
  mutating func next() -> String {
    defer { outgoing = "" }
    return outgoing
  }

  /// Takes a line of the radio.
  mutating func hear(_ line: String) throws(Nonsense) -> News? {
    switch stage {
    case .absent: throw Nonsense()
    case .greeting(let end):
      guard line.hasPrefix("OK MPD ") else { throw Nonsense() }
      (stage, outgoing) = (.asking(end), "radio_events\n")
      return nil
    case .asking:
      if line.hasPrefix("{") { return event(line) }
      guard line == "OK" else { throw Nonsense() }
      (stage, outgoing) = (.listening, "idle\n")
      return .ready
    case .listening:
      if line.hasPrefix("{") { return event(line) }
      if line.hasPrefix("changed: ") { return .changed(String(line.dropFirst("changed: ".count))) }
      guard line == "OK" else { throw Nonsense() }
      outgoing = "idle\n"
      return nil
    }
  }

  /// An event; none where it would not be a line for a page.
  private func event(_ line: String) -> News? { line.utf8.allSatisfy { $0 >= 0x20 } ? .event(line) : nil }
}

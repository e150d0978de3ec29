import Units

/// Notifications from the radio's control socket: events, and changes of MPD subsystems.
struct EventFeed {
  struct Nonsense: Error, Equatable {}

  enum News: Equatable {
    case ready
    case event(String)
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

  var isReady: Bool { if case .listening = stage { true } else { false } }

  var due: MonotonicTime {
    switch stage {
    case .greeting(let end), .asking(let end): end
    case .absent, .listening: .never
    }
  }

  mutating func begin(at now: MonotonicTime) { (stage, outgoing) = (.greeting(now + Self.patience), "") }

  mutating func end() { self = EventFeed() }

  mutating func next() -> String {
    defer { outgoing = "" }
    return outgoing
  }

  mutating func process(_ line: String) throws(Nonsense) -> News? {
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

  private func event(_ line: String) -> News? { line.utf8.allSatisfy { $0 >= 0x20 } ? .event(line) : nil }
}

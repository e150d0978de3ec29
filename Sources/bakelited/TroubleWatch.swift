import Panel
import Radio
import Units

/// What keeps the radio from playing, as the panel says it; learnt from the events.
struct TroubleWatch {
  private enum Kind {
    case noNetwork, gone, moved, notAudio, badAddress, waitingForClock, badCertificate
    case refused(Int)
    case notPlayable(String)
  }

  private var kind: Kind?
  private var attempt = 0
  private var nextTry: MonotonicTime?

  /// Hears an event; `now` is the clock's moment.
  mutating func hear(_ event: Event, at now: MonotonicTime) {
    switch event {
    case .playing, .stitched, .stationInfo, .buffering, .stopped(.user), .stopped(.end): clear()
    case .reconnecting(let attempt, let delay, _, _):
      self.attempt = attempt
      nextTry = now + MonotonicTime(seconds: delay)
      if case .noNetwork = kind { return }
      if case .refused = kind { return }
      kind = kind ?? .gone
    case .noNetwork: kind = .noNetwork
    case .httpError(let code, _): kind = (400..<500).contains(code) ? .refused(code) : .gone
    case .missingContent: kind = .moved
    case .badContent(_, let message): kind = Self.refusal(message)
    case .urlNotFound(_, let message): kind = Self.certificate(message) ?? .badAddress
    case .timeoutExceeded: kind = .gone
    default: break
    }
  }

  /// Another station, or another try: nothing is known yet.
  mutating func clear() { (kind, attempt, nextTry) = (nil, 0, nil) }

  /// The station was given up, and is tried again at a moment.
  mutating func waits(until moment: MonotonicTime) { nextTry = moment }

  /// What is wrong; nil while nothing is.
  func trouble(at now: MonotonicTime) -> Panel.Trouble? {
    guard let kind else { return nil }
    let seconds = nextTry.map { max(0, Int(($0 - now).seconds.rounded(.up))) }
    switch kind {
    case .noNetwork: return .noNetwork
    case .gone: return .serverGone(attempt: max(1, attempt), nextTry: seconds)
    case .moved: return .stationMoved(nextTry: seconds)
    case .refused(let code): return .refused(code: code, nextTry: seconds)
    case .notAudio: return .notAudio
    case .notPlayable(let kind): return .notPlayable(kind: kind)
    case .badAddress: return .badAddress
    case .waitingForClock: return .waitingForClock
    case .badCertificate: return .badCertificate
    }
  }

  private static func refusal(_ message: String) -> Kind {
    let known = ["HLS", "DASH", "M4A", "Ogg", "FLAC", "WMA", "LATM"].first { name in
      message.split { !$0.isLetter && !$0.isNumber }.contains { $0 == name }
    }
    return known.map { .notPlayable($0) } ?? .notAudio
  }

  private static func certificate(_ message: String) -> Kind? {
    guard message.contains("certificate") else { return nil }
    return message.contains("not valid yet") ? .waitingForClock : .badCertificate
  }
}

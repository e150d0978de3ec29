import Network
import System

/// Reads the requests of a fallback source on a thread of its own, because a folder on a network disk may block.
/// Control thread only.
final class FallbackReading {
  private enum Outcome {
    case read([StationRequest])
    case unusable
  }

  private let outcome = Locked<Outcome?>(nil)

  /// Starts to read.
  init(_ source: FallbackSource) {
    let outcome = outcome
    let isStarted = OwnedThread.detach("fallback") {
      let requests = try? source.requests()
      outcome.withLock { $0 = requests.map { .read($0) } ?? .unusable }
    }
    if !isStarted { outcome.withLock { $0 = .unusable } }
  }

  /// The requests; empty for an unusable source, nil until they are read.
  var requests: [StationRequest]? {
    switch outcome.withLock({ $0 }) {
    case .read(let requests): requests
    case .unusable: []
    case nil: nil
    }
  }
}

/// The reads of fallback sources, one for each path: a path that blocks is not read twice. A value.
struct FallbackReads {
  private var pending: [String: FallbackReading] = [:]

  /// Returns the read of a source; starts one if none runs.
  mutating func read(_ source: FallbackSource) -> FallbackReading {
    pending = pending.filter { $0.value.requests == nil }
    if let reading = pending[source.name] { return reading }
    let reading = FallbackReading(source)
    pending[source.name] = reading
    return reading
  }
}

import Network

/// The requests of a fallback source, one after the other, endlessly. A value.
struct FallbackFiles {
  private let requests: [StationRequest]
  private var index = 0
  private var failureCount = 0

  init(_ requests: [StationRequest] = []) { self.requests = requests }

  var current: StationRequest? { requests.indices.contains(index) ? requests[index] : nil }

  mutating func advance() { index = requests.isEmpty ? 0 : (index + 1) % requests.count }

  /// Records that the current request is audible.
  mutating func recordAudio() { failureCount = 0 }

  /// Advances after a failed request; returns false if all requests failed in a row.
  mutating func advanceAfterFailure() -> Bool {
    failureCount += 1
    guard failureCount < requests.count else { return false }
    advance()
    return true
  }
}

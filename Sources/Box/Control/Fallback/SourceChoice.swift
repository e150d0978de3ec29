import Network

/// A source that a listener can choose for a station (F7).
struct SourceChoice: Equatable {
  /// The address without secrets, or the fallback's name.
  let name: String
  let kind: SourceReport.Kind
  /// True if the source plays or is tried.
  let isCurrent: Bool
}

extension StationRequest {
  /// Returns a request that tries an address first: 0 for `url`, n for the nth alternative. Each address keeps its own
  /// secrets. Returns nil for another position.
  func preferring(_ position: Int) -> StationRequest? {
    guard (0...alternatives.count).contains(position) else { return nil }
    guard position > 0 else { return self }
    var own = AlternativeAddress(url: url)
    (own.headers, own.query, own.credentials) = (headers, query, credentials)
    let chosen = alternatives[position - 1]
    var request = self
    (request.url, request.headers) = (chosen.url, chosen.headers)
    (request.query, request.credentials) = (chosen.query, chosen.credentials)
    request.alternatives.remove(at: position - 1)
    request.alternatives.insert(own, at: 0)
    return request
  }
}

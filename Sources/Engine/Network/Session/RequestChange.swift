import Units

/// Changes of a request that is in progress; nil leaves a property unchanged.
package struct RequestChange: Equatable, Sendable {
  package var dataTimeout: Duration?
  /// `User-Agent` of later connections.
  package var userAgent: String?

  package init(dataTimeout: Duration? = nil, userAgent: String? = nil) {
    (self.dataTimeout, self.userAgent) = (dataTimeout, userAgent)
  }

  package func apply(to request: inout StationRequest) {
    if let dataTimeout { request.dataTimeout = dataTimeout }
    if let userAgent { request.userAgent = userAgent }
  }

  mutating func merge(_ next: RequestChange) {
    dataTimeout = next.dataTimeout ?? dataTimeout
    userAgent = next.userAgent ?? userAgent
  }
}

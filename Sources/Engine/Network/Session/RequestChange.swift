import Units

/// Changes of a request that is in progress; nil leaves a property unchanged.
package struct RequestChange: Equatable, Sendable {
  package var dataTimeout: Duration?
  /// `User-Agent` of later connections.
  package var userAgent: String?

  package init(dataTimeout: Duration? = nil, userAgent: String? = nil) {
    (self.dataTimeout, self.userAgent) = (dataTimeout, userAgent)
  }

  /// Returns this change after an earlier one.
  func merged(after earlier: RequestChange?) -> RequestChange {
    RequestChange(dataTimeout: dataTimeout ?? earlier?.dataTimeout, userAgent: userAgent ?? earlier?.userAgent)
  }
}

extension StationRequest {
  package mutating func apply(_ change: RequestChange) {
    dataTimeout = change.dataTimeout ?? dataTimeout
    userAgent = change.userAgent ?? userAgent
  }
}

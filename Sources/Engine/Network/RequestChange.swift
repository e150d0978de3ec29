import Units

/// What is to change of a request while it is carried out; nil: nothing.
package struct RequestChange: Equatable, Sendable {
  /// So long without data, and the connection is made anew.
  package var dataTimeout: Duration?
  /// The `User-Agent` of connections that are made from now on.
  package var userAgent: String?

  /// A change of what is given.
  package init(dataTimeout: Duration? = nil, userAgent: String? = nil) {
    (self.dataTimeout, self.userAgent) = (dataTimeout, userAgent)
  }

  /// Changes a request.
  package func apply(to request: inout StationRequest) {
    if let dataTimeout { request.dataTimeout = dataTimeout }
    if let userAgent { request.userAgent = userAgent }
  }

  /// Adds what is to change after that.
  mutating func add(_ next: RequestChange) {
    dataTimeout = next.dataTimeout ?? dataTimeout
    userAgent = next.userAgent ?? userAgent
  }
}

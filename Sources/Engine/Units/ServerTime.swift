/// A server's time of day, from a response whose sender was proven by TLS.
package struct ServerTime: Equatable, Sendable {
  /// The host of the certificate.
  package let host: String
  /// `Date` of the response, in seconds since 1970.
  package let seconds: Int64
  /// The time of arrival.
  package let received: MonotonicTime

  /// Creates a time.
  package init(host: String, seconds: Int64, received: MonotonicTime) {
    (self.host, self.seconds, self.received) = (host, seconds, received)
  }
}

/// The stations to receive in advance, for changes without a delay (B5).
public struct PrefetchRule: Equatable, Sendable {
  /// The stations, the most likely first. Only live stations are received in advance.
  public var requests: [StationRequest]
  /// Maximum that is received in advance within an hour, in bytes; nil for no limit.
  public var maxBytesPerHour: Int?

  /// Creates a rule without stations: nothing is received in advance.
  public init(_ requests: [StationRequest] = [], maxBytesPerHour: Int? = nil) {
    (self.requests, self.maxBytesPerHour) = (requests, maxBytesPerHour)
  }
}

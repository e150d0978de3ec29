/// The stations to receive in advance, for changes without a delay (B5).
public struct PrefetchRule: Equatable, Sendable {
  /// The stations, the most likely first. Only live stations are received in advance.
  public var requests: [StationRequest]
  /// Maximum that is received in advance within an hour, in bytes; nil for no limit.
  public var maxBytesPerHour: Int?

  /// A live station to return to, received before the others and without their limits. After a failure it waits for
  /// another rule.
  public var firstChoice: StationRequest?

  /// Creates a rule; without stations, nothing is received in advance.
  public init(_ requests: [StationRequest] = [], maxBytesPerHour: Int? = nil, firstChoice: StationRequest? = nil) {
    (self.requests, self.maxBytesPerHour, self.firstChoice) = (requests, maxBytesPerHour, firstChoice)
  }
}

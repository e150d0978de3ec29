/// The state of the connection to the broker.
public enum LinkState: Hashable, Sendable {
  case connecting
  /// Connected. `acceptsOrders` is false if the broker's access list denies the subscription.
  case connected(acceptsOrders: Bool)
  /// The connection failed and is retried.
  case failed(BrokerFault)
}

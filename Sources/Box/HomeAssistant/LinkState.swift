/// How the radio stands to its broker.
public enum LinkState: Hashable, Sendable {
  /// It is being connected to for the first time.
  case connecting
  /// It is connected; the broker may deny it the orders, by its access list.
  case connected(takesOrders: Bool)
  /// It is not, and is tried again.
  case failed(BrokerFault)
}

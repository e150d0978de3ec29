import CMosquitto
import System
import Units

/// A test connection to a broker, without effect on a running radio.
public enum BrokerCheck {
  /// Returns true if the broker would deliver orders; throws the fault that prevents a connection. Blocks for seconds,
  /// or longer if name servers are slow.
  public static func run(_ broker: Broker, _ identity: DeviceIdentity, _ clock: Clock) throws(BrokerFault) -> Bool {
    bk_mqtt_block_sigpipe()
    var fault = BrokerFault.noSuchHost
    for address in try BrokerAddress.usable(for: broker) {
      do throws(BrokerFault) {
        return try visit(broker, at: address, identity, clock)
      } catch {
        guard case .unreachable = error else { throw error }
        fault = error
      }
    }
    throw fault
  }

  private static func visit(
    _ broker: Broker, at address: BrokerAddress, _ identity: DeviceIdentity, _ clock: Clock
  ) throws(BrokerFault) -> Bool {
    let waiter = LinkWaiter(LinkMailbox(), clock)
    let connection = try BrokerConnection(
      broker, at: address, as: "bakelite-doctor-\(identity.id)", will: nil, clock)
    while !connection.isOpen {
      waiter.wait(for: connection, until: .never)
      try connection.advance()
    }
    try connection.subscribe(MqttTopics(identity, prefix: broker.discoveryPrefix).orders)
    // A broker whose access list denies the subscription replies at once. Without a denial, the check waits the whole
    // second.
    let end = clock.now() + Duration(milliseconds: 1_000)
    while !connection.isDeaf, clock.now() < end {
      waiter.wait(for: connection, until: end)
      try connection.advance()
    }
    connection.disconnect()
    return !connection.isDeaf
  }
}

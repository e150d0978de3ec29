import CMosquitto
import System
import Units

/// One visit to a broker, to see whether the radio could work with it; the radio that runs is not disturbed.
public enum BrokerCheck {
  /// What came of it: whether the broker would pass orders on. It takes seconds, and as long as name servers take.
  ///
  /// - Throws: What keeps the radio from the broker.
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
    // The broker answers at once, or not at all where it has no access list.
    let end = clock.now() + Duration(milliseconds: 1_000)
    while !connection.isDeaf, clock.now() < end {
      waiter.wait(for: connection, until: end)
      try connection.advance()
    }
    connection.disconnect()
    return !connection.isDeaf
  }
}

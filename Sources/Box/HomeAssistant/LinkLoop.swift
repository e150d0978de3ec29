import CMosquitto
import System
import Units

/// The link's thread. The loop connects to the broker, exchanges messages, and reconnects after a fault. Only this
/// thread waits for name servers and the broker.
final class LinkLoop {
  private let broker: Broker
  private let identity: DeviceIdentity
  private let topics: MqttTopics
  private let mailbox: LinkMailbox
  private let clock: Clock
  private let waiter: LinkWaiter
  private var delay = RetryDelay()
  /// Time at which the broker accepted the radio; nil without an accepted connection.
  private var opened: MonotonicTime?

  /// Maximum time for disconnecting.
  private static let farewell = Duration(milliseconds: 500)

  init(_ broker: Broker, _ identity: DeviceIdentity, _ mailbox: LinkMailbox, _ clock: Clock) {
    self.broker = broker
    self.identity = identity
    self.mailbox = mailbox
    self.clock = clock
    topics = MqttTopics(identity, prefix: broker.discoveryPrefix)
    waiter = LinkWaiter(mailbox, clock)
  }

  func run() {
    bk_mqtt_block_sigpipe()
    while !mailbox.isEnding {
      do throws(BrokerFault) {
        try talk(try connect())
        return
      } catch {
        guard !mailbox.isEnding else { return }
        mailbox.state = .failed(error)
        let now = clock.now()
        let length = opened.map { now - $0 } ?? .zero
        opened = nil
        rest(until: now + delay.next(after: error, openFor: length))
      }
    }
  }

  private func rest(until moment: MonotonicTime) {
    while !mailbox.isEnding, clock.now() < moment { waiter.wait(for: nil, until: moment) }
  }

  // MARK: Connecting

  private func connect() throws(BrokerFault) -> BrokerConnection {
    var fault = BrokerFault.noSuchHost
    for address in try BrokerAddress.usable(for: broker) {
      do throws(BrokerFault) {
        let connection = try BrokerConnection(
          broker, at: address, as: "bakelite-\(identity.id)", will: StateMessages(topics).availability(false), clock)
        while !connection.isConnected, !mailbox.isEnding {
          waiter.wait(for: connection, until: .never)
          try connection.advance()
        }
        return connection
      } catch {
        fault = error
      }
    }
    throw fault
  }

  // MARK: Messages

  private func talk(_ connection: BrokerConnection) throws(BrokerFault) {
    var session = LinkSession(DiscoveryMessages(identity, topics), StateMessages(topics))
    let reader = OrderReader(topics)
    var isBorn = false
    connection.onMessage { [mailbox, clock] topic, payload, isRetained in
      switch reader.meaning(of: topic, payload, isRetained: isRetained) {
      case .order(let order): mailbox.pass(order, at: clock.now())
      case .birth: isBorn = true
      case nil: break
      }
    }
    defer { connection.onMessage { _, _, _ in } }
    var due = MonotonicTime.never
    while !mailbox.isEnding {
      try connection.advance()
      if connection.isOpen {
        if opened == nil {
          opened = clock.now()
          for topic in [topics.orders, topics.birth] { try connection.subscribe(topic) }
        }
        mailbox.state = .connected(acceptsOrders: !connection.isDeaf)
        if isBorn { session.handleBirth() }
        isBorn = false
        due = try publish(&session, to: connection)
      }
      waiter.wait(for: connection, until: due)
    }
    try disconnect(of: connection)
  }

  /// Publishes due messages, unless earlier messages are pending. Returns the time of the next call.
  private func publish(
    _ session: inout LinkSession, to connection: BrokerConnection
  ) throws(BrokerFault) -> MonotonicTime {
    guard connection.isIdle else { return .never }
    let (messages, due) = session.messages(mailbox.snapshot, at: clock.now())
    for message in messages { try connection.publish(message) }
    return due
  }

  /// Publishes that the radio is offline, and disconnects. Waits at most `farewell` until the message is written.
  private func disconnect(of connection: BrokerConnection) throws(BrokerFault) {
    guard connection.isOpen else { return }
    try connection.publish(StateMessages(topics).availability(false))
    connection.disconnect()
    let end = clock.now() + Self.farewell
    while !connection.isIdle, connection.descriptor >= 0, clock.now() < end {
      waiter.wait(for: connection, until: end)
      try connection.advance()
    }
  }
}

extension BrokerAddress {
  /// Returns the allowed addresses. Without encryption, only addresses on this machine and in the owner's networks are
  /// allowed. With encryption, one address per address family is enough, since libmosquitto itself chooses an address
  /// in that family.
  static func usable(for broker: Broker) throws(BrokerFault) -> [BrokerAddress] {
    let all = try find(broker.host)
    let kinds = [false, true].compactMap { isIPv6 in all.first { $0.isIPv6 == isIPv6 } }
    let usable = broker.usesTls ? all.filter { kinds.contains($0) } : all.filter(\.isOwn)
    guard !usable.isEmpty else { throw .notOwnNetwork }
    return usable
  }
}

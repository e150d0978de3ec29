import CMosquitto
import System
import Units

/// The link's thread: connects to the broker, over and over, and talks to it. It alone waits for name servers and for
/// the broker.
final class LinkLoop {
  private let broker: Broker
  private let identity: DeviceIdentity
  private let topics: MqttTopics
  private let mailbox: LinkMailbox
  private let clock: Clock
  private let waiter: LinkWaiter
  private var delay = RetryDelay()
  /// Since when the broker has accepted the radio; nil where it has not.
  private var opened: MonotonicTime?

  /// So long it may take to take leave.
  private static let farewell = Duration(milliseconds: 500)

  init(_ broker: Broker, _ identity: DeviceIdentity, _ mailbox: LinkMailbox, _ clock: Clock) {
    (self.broker, self.identity, self.mailbox, self.clock) = (broker, identity, mailbox, clock)
    topics = MqttTopics(identity, prefix: broker.discoveryPrefix)
    waiter = LinkWaiter(mailbox, clock)
  }

  /// Runs until it is to end.
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

  /// A connection that TCP has made, to the first address that takes it.
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

  // MARK: Talking

  /// Talks until the link is to end.
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
        mailbox.state = .connected(takesOrders: !connection.isDeaf)
        if isBorn { session.hearBirth() }
        isBorn = false
        due = try publish(&session, to: connection)
      }
      waiter.wait(for: connection, until: due)
    }
    try takeLeave(of: connection)
  }

  /// Publishes what is due, unless what was published before still waits; when to look again.
  private func publish(
    _ session: inout LinkSession, to connection: BrokerConnection
  ) throws(BrokerFault) -> MonotonicTime {
    guard connection.isIdle else { return .never }
    let (messages, due) = session.messages(mailbox.snapshot, at: clock.now())
    for message in messages { try connection.publish(message) }
    return due
  }

  /// Tells that the radio goes, and waits a little until that is written.
  private func takeLeave(of connection: BrokerConnection) throws(BrokerFault) {
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
  /// The addresses at which a broker may be connected to: without encryption those of this machine and its owner's
  /// networks; with it one of each kind, since libmosquitto chooses among them itself.
  ///
  /// - Throws: `noSuchHost`, `noNameServer`, `notOwnNetwork`.
  static func usable(for broker: Broker) throws(BrokerFault) -> [BrokerAddress] {
    let all = try find(broker.host)
    let kinds = [false, true].compactMap { isIPv6 in all.first { $0.isIPv6 == isIPv6 } }
    let usable = broker.usesTls ? all.filter { kinds.contains($0) } : all.filter(\.isOwn)
    guard !usable.isEmpty else { throw .notOwnNetwork }
    return usable
  }
}

import CLinux
import System
import Units

/// One connection to a broker, from the first packet of TCP to its end; nothing in it waits. One thread's.
final class BrokerConnection {
  private enum Phase { case connecting, securing, greeting, open }

  /// So long it may take until TCP connects, and from then on until the broker has accepted the radio.
  private static let patience = Duration(milliseconds: 5_000)
  /// libmosquitto counts whole seconds.
  private static let keepAlive = Duration(milliseconds: Int64(MosquittoClient.keepAlive + 1) * 1_000)
  /// So many records without data may come one after the other: tickets and new keys, of which a server sends few.
  private static let mostEmptyLooks = 32

  private var client: MosquittoClient
  private let events: MosquittoEvents
  private let isEncrypted: Bool
  private let clock: Clock

  private var phase = Phase.connecting
  private var deadline: MonotonicTime
  /// When something was last read.
  private var lastRead: MonotonicTime
  /// When all was last written.
  private var lastWritten: MonotonicTime

  private var bytes = [UInt8](repeating: 0, count: PacketFilter.longest + PacketFilter.longestHeader)
  private var budget = ReadBudget()
  private var filter = PacketFilter()
  /// Bytes of the encrypted record that passed the filter and are not read.
  private var passed = 0
  /// Whether what waits to be written waits for bytes of the broker: for the rest of a message of TLS.
  private var writesOnceRead = false
  /// So many bytes have to be there before a packet is whole.
  private var awaited = 1

  /// Begins to connect to an address of a broker, under a client's id. `will` is published by the broker where the
  /// connection ends by itself.
  init(
    _ broker: Broker, at address: BrokerAddress, as id: String, will: MqttMessage?, _ clock: Clock
  ) throws(BrokerFault) {
    let events = MosquittoEvents()
    client = try MosquittoClient(id, events)
    (self.events, isEncrypted, self.clock) = (events, broker.usesTls, clock)
    let now = clock.now()
    (deadline, lastRead, lastWritten) = (now + Self.patience, now, now)
    try client.prepare(for: broker, will: will)
    try client.connect(broker, at: address)
  }

  /// Hears the messages that come.
  func onMessage(_ hear: @escaping (_ topic: String, _ payload: [UInt8], _ isRetained: Bool) -> Void) {
    events.hear = hear
  }

  /// Whether TCP connected.
  var isConnected: Bool { phase != .connecting }
  /// Whether the broker has accepted the radio.
  var isOpen: Bool { phase == .open }
  /// Whether the broker refused a subscription.
  var isDeaf: Bool { events.isDeaf }
  /// Whether nothing waits to be written.
  var isIdle: Bool { !client.needsRoom }

  // MARK: Waiting

  var descriptor: Int32 { client.descriptor }

  /// Whether it waits for bytes.
  func needsInput(at now: MonotonicTime) -> Bool { phase != .connecting && budget.pause(at: now) == nil }

  /// Whether it waits for room to write.
  var needsRoom: Bool {
    switch phase {
    case .connecting: true
    case .securing: client.needsRoomForHandshake
    case .greeting, .open: client.needsRoom && !writesOnceRead
    }
  }

  /// When it has something to do though nothing happens.
  func due(at now: MonotonicTime) -> MonotonicTime {
    let own = phase == .open ? min(lastRead, lastWritten) + Self.keepAlive : deadline
    return min(own, budget.pause(at: now) ?? .never)
  }

  // MARK: Going on

  /// Goes on as far as it can; called after each wait.
  func advance() throws(BrokerFault) {
    let now = clock.now()
    if phase != .open, now >= deadline { throw .noAnswer }
    if phase == .connecting {
      guard try client.isConnected() else { return }
      (phase, deadline) = (isEncrypted ? .securing : .greeting, now + Self.patience)
    }
    if phase == .securing {
      budget.spend(1, at: now)
      guard try client.isSecured() else { return }
      phase = .greeting
    }
    try write()
    if isEncrypted { try readRecords(at: now) } else { try readPackets(at: now) }
    if writesOnceRead { try write() }
    if phase == .greeting, events.answer == 0 { phase = .open }
    if phase == .open { try keepAlive() }
  }

  private func write() throws(BrokerFault) {
    writesOnceRead = false
    guard client.needsRoom else { return }
    writesOnceRead = try client.write()
    if !client.needsRoom { lastWritten = clock.now() }
  }

  private func keepAlive() throws(BrokerFault) {
    guard clock.now() >= min(lastRead, lastWritten) + Self.keepAlive else { return }
    try client.keepAlive()
    let now = clock.now()
    (lastRead, lastWritten) = (now, now)
  }

  // MARK: Reading

  /// Reads the packets that lie whole in the kernel's buffer.
  private func readPackets(at now: MonotonicTime) throws(BrokerFault) {
    while case let room = budget.room(at: now), room > 0 {
      let count = try client.peek(&bytes)
      guard count > 0 else { return }
      var filter = PacketFilter()
      try filter.pass(bytes[..<count])
      guard filter.packets > 0 else { return try waitFor(count + filter.missing, have: count) }
      waitFor(1)
      let reads = min(filter.packets, room)
      for _ in 0..<reads { try client.read() }
      budget.spend(reads, at: now)
      lastRead = clock.now()
    }
  }

  /// Has the wait last until a packet is whole, of which `have` bytes are there.
  private func waitFor(_ count: Int, have: Int) throws(BrokerFault) {
    // It would be readable already only because nothing more comes.
    if have < awaited, bk_wait_readable(descriptor, 0) > 0, try client.peek(&bytes) < awaited { throw .closed }
    waitFor(count)
  }

  private func waitFor(_ count: Int) {
    guard count != awaited else { return }
    awaited = count
    client.wait(for: count)
  }

  /// Reads encrypted records, each of which libmosquitto takes as a whole.
  private func readRecords(at now: MonotonicTime) throws(BrokerFault) {
    while budget.room(at: now) > 0 {
      let count = try client.peek(&bytes)
      guard count > 0 else {
        // A record may come byte by byte, and each of them ends a wait.
        budget.spend(1, at: now)
        guard client.emptyLooks > 0 else { return }
        guard client.emptyLooks <= Self.mostEmptyLooks else { throw .garbage }
        continue
      }
      if count > passed {
        let before = filter.packets
        try filter.pass(bytes[passed..<count])
        budget.spend(max(1, filter.packets - before), at: now)
      }
      try client.read()
      passed = client.left
      lastRead = clock.now()
      if passed >= count { return }
    }
  }

  // MARK: Talking

  /// Subscribes to a topic.
  func subscribe(_ topic: String) throws(BrokerFault) {
    try client.subscribe(topic)
    lastWritten = clock.now()
  }

  /// Publishes a message.
  func publish(_ message: MqttMessage) throws(BrokerFault) {
    try client.publish(message)
    if !client.needsRoom { lastWritten = clock.now() }
  }

  /// Takes leave; what was published before is written first, as far as `advance` is called until `isIdle`.
  func disconnect() { client.disconnect() }
}

import CLinux
import System
import Units

/// A non-blocking connection to a broker, from TCP connect to its end. One thread.
final class BrokerConnection {
  private enum Phase { case connecting, securing, greeting, open }

  /// Timeout of the TCP connect; after it, timeout of the broker's acceptance.
  private static let patience = Duration(milliseconds: 5_000)
  /// Time of silence before `keepAlive()`: one second more, because libmosquitto counts whole seconds.
  private static let keepAlive = Duration(milliseconds: Int64(MosquittoClient.keepAlive + 1) * 1_000)
  /// Maximum number of consecutive TLS records without data. A server sends only a few: session tickets and new keys.
  private static let maxEmptyPeeks = 32

  private var client: MosquittoClient
  private let events: MosquittoEvents
  private let isEncrypted: Bool
  private let clock: Clock

  private var phase = Phase.connecting
  private var deadline: MonotonicTime
  private var lastRead: MonotonicTime
  /// Time of the last complete write.
  private var lastWritten: MonotonicTime

  private var bytes = [UInt8](repeating: 0, count: PacketFilter.maxLength + PacketFilter.maxHeaderLength)
  private var budget = ReadBudget()
  private var filter = PacketFilter()
  /// Number of bytes in the current TLS record that the filter has checked and libmosquitto has not read.
  private var passed = 0
  /// True if OpenSSL must read the rest of a TLS message before it can write pending output.
  private var writesOnceRead = false
  /// Minimum number of received bytes for which poll(2) reports the socket.
  private var awaited = 1

  /// Starts to connect to an address under a client id. The broker publishes `will` if the connection breaks.
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

  func onMessage(_ hear: @escaping (_ topic: String, _ payload: [UInt8], _ isRetained: Bool) -> Void) {
    events.onMessage = hear
  }

  var isConnected: Bool { phase != .connecting }
  var isOpen: Bool { phase == .open }
  var isDeaf: Bool { events.isDeaf }
  var isIdle: Bool { !client.needsRoom }

  // MARK: Waiting

  var descriptor: Int32 { client.descriptor }

  func needsInput(at now: MonotonicTime) -> Bool { phase != .connecting && budget.pause(at: now) == nil }

  var needsRoom: Bool {
    switch phase {
    case .connecting: true
    case .securing: client.needsRoomForHandshake
    case .greeting, .open: client.needsRoom && !writesOnceRead
    }
  }

  func due(at now: MonotonicTime) -> MonotonicTime {
    let own = phase == .open ? min(lastRead, lastWritten) + Self.keepAlive : deadline
    return min(own, budget.pause(at: now) ?? .never)
  }

  // MARK: Progress

  /// Connects, writes and reads as far as possible without blocking. Call it after each wait.
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

  /// Makes the next wait end when `count` bytes are available. `have`: number of bytes available now.
  private func waitFor(_ count: Int, have: Int) throws(BrokerFault) {
    // If the socket is readable although bytes are missing, the broker closed the connection.
    if have < awaited, bk_wait_readable(descriptor, 0) > 0, try client.peek(&bytes) < awaited { throw .closed }
    waitFor(count)
  }

  private func waitFor(_ count: Int) {
    guard count != awaited else { return }
    awaited = count
    client.wait(for: count)
  }

  /// Reads TLS records. libmosquitto processes one record per call.
  private func readRecords(at now: MonotonicTime) throws(BrokerFault) {
    while budget.room(at: now) > 0 {
      let count = try client.peek(&bytes)
      guard count > 0 else {
        // Each received byte ends a wait, so a record that arrives byte by byte must use up the budget.
        budget.spend(1, at: now)
        guard client.emptyLooks > 0 else { return }
        guard client.emptyLooks <= Self.maxEmptyPeeks else { throw .garbage }
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

  // MARK: Messages

  func subscribe(_ topic: String) throws(BrokerFault) {
    try client.subscribe(topic)
    lastWritten = clock.now()
  }

  func publish(_ message: MqttMessage) throws(BrokerFault) {
    try client.publish(message)
    if !client.needsRoom { lastWritten = clock.now() }
  }

  /// Disconnects after the pending messages. To write them, call `advance` until `isIdle`.
  func disconnect() { client.disconnect() }
}

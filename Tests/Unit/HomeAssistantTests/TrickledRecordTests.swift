import CMosquitto
import Foundation
import TestSupport
import Testing
import Units

@testable import HomeAssistant

/// Encrypted brokers that send a record byte by byte, or a TLS message in parts (M2).
struct TrickledRecordTests {
  /// A broker that accepts the radio, and sends one byte of a record for each byte read from a pipe.
  private static func broker(_ tls: OpenSSL, at pace: Int32) throws -> FakeBroker {
    try .encrypted(tls) { ssl, descriptor in
      SSL_set0_wbio(ssl, BIO_new(BIO_s_mem()))
      let message = FakeBroker.publish("homeassistant/none", [UInt8](repeating: 1, count: 2_000))
      SSL_write(ssl, message, Int32(message.count))
      var record = [UInt8](repeating: 0, count: 4_096)
      let count = BIO_read(SSL_get_wbio(ssl), &record, Int32(record.count))
      var isOn: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
      var go: UInt8 = 0
      for place in 0..<Int(max(0, count)) {
        guard read(pace, &go, 1) == 1, FakeBroker.send(descriptor, [record[place]]) else { return }
      }
    }
  }

  private static func connection(to fake: FakeBroker, _ tls: OpenSSL) throws -> BrokerConnection {
    let broker = Broker(host: "localhost", port: UInt16(fake.port), caFile: tls.certificate)
    let address = try #require(try BrokerAddress.usable(for: broker).first { !$0.isIPv6 })
    return try BrokerConnection(broker, at: address, as: "test", will: nil, TestClock.current.clock)
  }

  /// Advances a connection until `isSo` is true.
  private static func advance(_ connection: BrokerConnection, until isSo: () -> Bool) throws {
    let waiter = LinkWaiter(LinkMailbox(), TestClock.current.clock)
    while !isSo() {
      waiter.wait(for: connection, until: .never)
      try connection.advance()
    }
  }

  @Test(
    "A record that arrives byte by byte costs no more peeks than the budget (M2)",
    .enabled(if: OpenSSL.path != nil, "needs openssl"))
  func trickle() async throws {
    try await Stage.run {
      let tls = try OpenSSL(name: "localhost", from: 2020, to: 2099)
      var pace: [Int32] = [0, 0]
      #expect(pipe(&pace) == 0)
      defer { for end in pace { close(end) } }
      let fake = try Self.broker(tls, at: pace[0])
      defer { fake.close() }
      let (clock, connection) = (TestClock.current.clock, try Self.connection(to: fake, tls))
      try Self.advance(connection) { connection.isOpen }
      var looks = 0
      while connection.needsInput(at: clock.now()), looks < 1_000 {
        #expect(write(pace[1], [1], 1) == 1)
        #expect(isReadable(connection.descriptor))
        try connection.advance()
        looks += 1
      }
      #expect(looks < 1_000)
    }
  }
}

extension TrickledRecordTests {
  /// Accepts the radio, sends a ticket's first record, and then writes a byte to `told`.
  /// After a byte from `pace`, the broker sends the rest, and copies all received data to `told`.
  private static func broker(_ tls: OpenSSL, holding pace: Int32, telling told: Int32) throws -> FakeBroker {
    try .encrypted(tls) { ssl, descriptor in
      SSL_set0_wbio(ssl, BIO_new(BIO_s_mem()))
      // A ticket contains its session's data, and a record has at most 512 bytes.
      SSL_ctrl(ssl, SSL_CTRL_SET_MAX_SEND_FRAGMENT, 512, nil)
      let data = [UInt8](repeating: 1, count: 2_000)
      guard SSL_SESSION_set1_ticket_appdata(SSL_get_session(ssl), data, data.count) == 1,
        SSL_new_session_ticket(ssl) == 1, SSL_do_handshake(ssl) == 1
      else { return }
      var records = [UInt8](repeating: 0, count: 8_192)
      records.removeLast(records.count - Int(max(0, BIO_read(SSL_get_wbio(ssl), &records, Int32(records.count)))))
      guard records.count > 1_000 else { return }
      let first = 5 + Int(records[3]) << 8 + Int(records[4])
      var go: UInt8 = 0
      guard FakeBroker.send(descriptor, Array(records[..<first])), write(told, [1], 1) == 1, read(pace, &go, 1) == 1,
        FakeBroker.send(descriptor, Array(records[first...]))
      else { return }
      var piece = [UInt8](repeating: 0, count: 4_096)
      while case let count = SSL_read(ssl, &piece, Int32(piece.count)), count > 0 { write(told, piece, Int(count)) }
    }
  }

  @Test(
    "While a TLS message is incomplete the radio waits for it, then writes (M2)",
    .enabled(if: OpenSSL.path != nil, "needs openssl"))
  func heldMessage() async throws {
    try await Stage.run {
      let tls = try OpenSSL(name: "localhost", from: 2020, to: 2099)
      var (pace, told): ([Int32], [Int32]) = ([0, 0], [0, 0])
      #expect(pipe(&pace) == 0 && pipe(&told) == 0)
      defer { for end in pace + told { close(end) } }
      let fake = try Self.broker(tls, holding: pace[0], telling: told[1])
      defer { fake.close() }
      let (clock, connection) = (TestClock.current.clock, try Self.connection(to: fake, tls))
      try Self.advance(connection) { connection.isOpen }
      var isSent: UInt8 = 0
      #expect(read(told[0], &isSent, 1) == 1)
      try connection.advance()
      let message = MqttMessage(topic: "a", payload: "b", isRetained: false)
      try connection.publish(message)
      try connection.advance()
      #expect(!connection.isIdle && !connection.needsRoom && connection.needsInput(at: clock.now()))
      #expect(write(pace[1], [1], 1) == 1)
      try Self.advance(connection) { connection.isIdle }
      let wanted = FakeBroker.publish("a", Array("b".utf8))
      var heard = [UInt8](repeating: 0, count: wanted.count)
      #expect(isReadable(told[0]) && read(told[0], &heard, heard.count) == wanted.count && heard == wanted)
    }
  }
}

/// Waits up to 10 s for readable data (poll(2)).
private func isReadable(_ descriptor: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, 10_000) == 1
}

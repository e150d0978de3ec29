import CMosquitto
import Foundation
import TestSupport
import Testing
import Units

@testable import HomeAssistant

/// Encrypted brokers that send a record byte by byte (M2).
struct TrickledRecordTests {
  /// A broker that accepts the radio, and sends one byte of a record for each byte that it reads from a pipe.
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

  @Test(
    "a record that comes byte by byte costs no more looks than there are in a tenth of a second (M2)",
    .enabled(if: OpenSSL.path != nil, "needs openssl"))
  func trickle() async throws {
    try await Stage.run {
      let tls = try OpenSSL(name: "localhost", from: 2020, to: 2099)
      var pace: [Int32] = [0, 0]
      #expect(pipe(&pace) == 0)
      defer { for end in pace { close(end) } }
      let fake = try Self.broker(tls, at: pace[0])
      defer { fake.close() }
      let broker = Broker(host: "localhost", port: UInt16(fake.port), caFile: tls.certificate)
      let address = try #require(try BrokerAddress.usable(for: broker).first { !$0.isIPv6 })
      let clock = TestClock.current.clock
      let connection = try BrokerConnection(broker, at: address, as: "test", will: nil, clock)
      let waiter = LinkWaiter(LinkMailbox(), clock)
      while !connection.isOpen {
        waiter.wait(for: connection, until: .never)
        try connection.advance()
      }
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

/// Waits for what can be read (poll(2)).
private func isReadable(_ descriptor: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, 10_000) == 1
}

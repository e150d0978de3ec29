import CMosquitto
import Foundation
import Synchronization
import TestSupport
import Testing
import Units

@testable import HomeAssistant

/// Encrypted brokers with records without data for the radio (M2).
struct EmptyRecordTests {
  /// A broker that accepts the radio and sends this number of key updates, then the bytes.
  private static func broker(_ tls: OpenSSL, records: Int, then bytes: [UInt8], _ sent: Sent) throws -> FakeBroker {
    try .encrypted(tls) { ssl, _ in
      while sent.count.load(ordering: .relaxed) < records {
        guard SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1, SSL_do_handshake(ssl) == 1 else { return }
        sent.count.add(1, ordering: .relaxed)
      }
      SSL_write(ssl, bytes, Int32(bytes.count))
      var piece = [UInt8](repeating: 0, count: 4_096)
      while SSL_read(ssl, &piece, Int32(piece.count)) > 0 {}
    }
  }

  private final class Sent: Sendable {
    let count = Atomic(0)
  }

  private static func waits(until isSo: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(10)
    while !isSo() {
      guard Date() < end else { return false }
      usleep(5_000)
    }
    return true
  }

  @Test(
    "A broker that sends endless empty records is left; one with a few is accepted (M2)",
    .enabled(if: OpenSSL.path != nil, "needs openssl"), arguments: [false, true])
  func flood(_ isEndless: Bool) async throws {
    try await Stage.run {
      let tls = try OpenSSL(name: "localhost", from: 2020, to: 2099)
      let sent = Sent()
      let order = FakeBroker.publish(OrderTests.own + "volume", Array("7".utf8))
      let broker = try Self.broker(tls, records: isEndless ? .max : 20, then: order, sent)
      defer { broker.close() }
      let address = Broker(host: "localhost", port: UInt16(broker.port), caFile: tls.certificate)
      let link = try HomeLink(address, Samples.identity, TestClock.current.clock)
      defer { link.finish(within: Duration(milliseconds: 3_000)) }
      if isEndless {
        #expect(Self.waits { link.state == .failed(.garbage) })
      } else {
        var orders: [HomeOrder] = []
        #expect(
          Self.waits {
            orders += link.removeOrders()
            return orders == [.volume(7)]
          })
        #expect(sent.count.load(ordering: .relaxed) == 20)
      }
    }
  }
}

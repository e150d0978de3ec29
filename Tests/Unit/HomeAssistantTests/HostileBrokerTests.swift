import Foundation
import System
import TestSupport
import Testing
import Units

@testable import HomeAssistant

/// Malicious and broken brokers (M2).
struct HostileBrokerTests {
  /// A link to a local port, on the test's clock.
  private static func link(_ port: Int, caFile: String? = nil) throws -> HomeLink {
    let broker = Broker(host: "localhost", port: UInt16(port), caFile: caFile)
    return try HomeLink(broker, Samples.identity, TestClock.current.clock)
  }

  private static func waits(_ seconds: Double = 10, until isSo: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while !isSo() {
      guard Date() < end else { return false }
      usleep(5_000)
    }
    return true
  }

  private static let order = FakeBroker.publish(OrderTests.own + "volume", Array("7".utf8))

  static let scripts: [(name: String, bytes: [UInt8], fault: BrokerFault)] = [
    ("another protocol", Array("SSH-2.0-OpenSSH\r\n".utf8), .garbage),
    ("a refusal", [0x20, 2, 0, 2], .refused(2)), ("a wrong password", [0x20, 2, 0, 4], .userRefused),
    ("an answer that is none", [0x20, 2, 0, 99], .garbage), ("an order before the answer", order, .garbage),
    ("256 MB", [0x20, 2, 0, 0, 0x30, 0xFF, 0xFF, 0xFF, 0x7F], .garbage),
    ("a length without an end", [0x20, 2, 0, 0, 0x30, 0x80, 0x80, 0x80, 0x80, 0x80], .garbage),
    ("a packet of a client", [0x20, 2, 0, 0, 0x82, 2, 0, 1], .garbage),
    ("a message at QoS 2", [0x20, 2, 0, 0, 0x34, 5, 0, 1, 0x61, 0, 1], .garbage),
    ("a topic longer than its packet", [0x20, 2, 0, 0, 0x30, 4, 0xFF, 0xFF, 0x61, 0x61], .garbage),
    ("a topic that is no text", [0x20, 2, 0, 0, 0x30, 4, 0, 2, 0xC3, 0x28], .garbage),
  ]

  @Test("Invalid MQTT and unexpected packets end the connection with a reason", arguments: scripts.map(\.name))
  func refused(_ name: String) async throws {
    let script = try #require(Self.scripts.first { $0.name == name })
    try await Stage.run {
      let broker = try FakeBroker { descriptor in
        var bytes = [UInt8](repeating: 0, count: 4_096)
        _ = read(descriptor, &bytes, bytes.count)
        FakeBroker.send(descriptor, script.bytes)
        FakeBroker.drain(descriptor)
      }
      defer { broker.close() }
      let link = try Self.link(broker.port)
      #expect(Self.waits { if case .failed = link.state { true } else { false } })
      #expect(link.state == .failed(script.fault))
      link.finish(within: Duration(milliseconds: 3_000))
    }
  }

  @Test("A broker that is silent, or stops inside a packet, is left at its timeout, not earlier")
  func stalls() async throws {
    try await Stage.run(speed: 10) {
      let silent = try FakeBroker { FakeBroker.drain($0) }
      defer { silent.close() }
      let link = try Self.link(silent.port)
      let start = TestClock.current.clock.now()
      #expect(Self.waits { link.state != .connecting } && link.state == .failed(.noAnswer))
      #expect((TestClock.current.clock.now() - start).seconds >= 5)
      link.finish(within: Duration(milliseconds: 3_000))
      let half = try FakeBroker {
        FakeBroker.acceptClient($0)
        FakeBroker.send($0, Array(Self.order.prefix(9)))
        usleep(300_000)
      }
      defer { half.close() }
      let other = try Self.link(half.port)
      #expect(Self.waits { other.state == .connected(acceptsOrders: true) })
      #expect(Self.waits { other.state == .failed(.closed) })
      other.finish(within: Duration(milliseconds: 3_000))
    }
  }

  @Test("Orders byte by byte or in one piece are read; a refused subscription is reported")
  func pieces() async throws {
    try await Stage.run {
      let broker = try FakeBroker { descriptor in
        FakeBroker.acceptClient(descriptor)
        for byte in Self.order {
          FakeBroker.send(descriptor, [byte])
          usleep(1_000)
        }
        FakeBroker.send(descriptor, (0..<30).flatMap { _ in Self.order } + [0x90, 3, 0, 1, 0x80])
        FakeBroker.drain(descriptor)
      }
      defer { broker.close() }
      let link = try Self.link(broker.port)
      var orders: [HomeOrder] = []
      #expect(
        Self.waits {
          orders += link.removeOrders()
          return link.state == .connected(acceptsOrders: false)
        })
      #expect(!orders.isEmpty && orders.allSatisfy { $0 == .volume(7) })
      link.finish(within: Duration(milliseconds: 3_000))
    }
  }

  @Test(
    "A flooding client and an oversized message do no harm, encrypted or not (M2)",
    .enabled(if: Mosquitto.isInstalled && OpenSSL.path != nil, "needs mosquitto and openssl"), arguments: [false, true])
  func floods(_ isEncrypted: Bool) async throws {
    try await Stage.run {
      let tls = try isEncrypted ? OpenSSL(name: "localhost", from: 2020, to: 2099) : nil
      let settings = tls.map { "\ncertfile \($0.certificate)\nkeyfile \($0.key)" } ?? ""
      let broker = try Mosquitto(
        "allow_anonymous true" + settings, secrets: tls.map { ["--cafile", $0.certificate] } ?? [])
      let link = try Self.link(broker.port, caFile: tls?.certificate)
      defer { link.finish(within: Duration(milliseconds: 3_000)) }
      #expect(Self.waits { link.state == .connected(acceptsOrders: true) })
      // The longest accepted message, in two records, with an invalid order.
      let topic = OrderTests.own + "station"
      try broker.publish(topic, String(repeating: "x", count: PacketFilter.maxLength - 2 - topic.utf8.count))
      try broker.publish(OrderTests.own + "volume", "1")
      var orders: [HomeOrder] = []
      #expect(
        Self.waits {
          orders += link.removeOrders(); return orders.last == .volume(1)
        })
      try broker.publish(OrderTests.own + "volume", lines: (0..<2_000).map { "\($0 % 100)" })
      try broker.publish(OrderTests.own + "volume", "100")
      #expect(
        Self.waits(20) {
          orders += link.removeOrders()
          return orders.last == .volume(100)
        })
      #expect(link.state == .connected(acceptsOrders: true))
      try broker.publish(topic, String(repeating: "x", count: PacketFilter.maxLength))
      #expect(Self.waits { link.state == .failed(.garbage) })
      #expect(Self.waits { link.state == .connected(acceptsOrders: true) }, "and it comes back")
    }
  }
}

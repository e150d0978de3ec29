import Foundation
import Http
import System
import TestSupport
import Testing
import Units

@testable import HomeAssistant

/// The link to a real broker (M2).
@Suite(.enabled(if: Mosquitto.isInstalled, "mosquitto is not here: apt-get install mosquitto mosquitto-clients"))
struct LinkTests {
  private static let (topics, own) = (Samples.topics, OrderTests.own)

  /// A link to a local port.
  private static func link(_ port: Int, user: Credentials? = nil, caFile: String? = nil) throws -> HomeLink {
    try HomeLink(
      Broker(host: "localhost", port: UInt16(port), user: user, caFile: caFile), Samples.identity, .machine)
  }

  /// Waits for `isSo`, and returns false after `seconds`.
  private static func waits(_ seconds: Double = 10, until isSo: () -> Bool) -> Bool {
    let end = monotonicSeconds() + seconds
    while !isSo() {
      guard monotonicSeconds() < end else { return false }
      usleep(5_000)
    }
    return true
  }

  /// Waits on the link's descriptor and returns the next orders.
  private static func next(_ link: HomeLink) -> [HomeOrder] {
    for _ in 0..<50 {
      var poll = pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0)
      if Glibc.poll(&poll, 1, 200) > 0, case let orders = link.removeOrders(), !orders.isEmpty { return orders }
    }
    return []
  }

  private static func radio(_ title: String, _ presets: [String] = ["One", "Two \"2\""]) -> RadioSnapshot {
    var radio = RadioSnapshot()
    (radio.state, radio.title, radio.presets) = (.playing, title, PresetOptions(presets))
    return radio
  }

  @Test("Entities and state are retained, each change is published, and the end as offline (M2)")
  func tells() async throws {
    try await Stage.run {
      let broker = try Mosquitto()
      let early = try broker.subscribe()
      defer { early.close() }
      let link = try Self.link(broker.port)
      link.post(Self.radio("First"))
      #expect(early.waitForMessage(Self.topics.state) { $0.contains("\"title\":\"First\"") })
      #expect(link.state == .connected(acceptsOrders: true))
      link.post(Self.radio("Second"))
      #expect(early.waitForMessage(Self.topics.state) { $0.contains("\"title\":\"Second\"") })
      link.post(Self.radio("Second", ["Three"]))
      #expect(
        early.waitForMessage(Self.topics.discovery("select", "station")) { $0.contains("\"options\":[\"Three\"]") })
      let late = try broker.subscribe()
      defer { late.close() }
      #expect(late.waitForMessage(Self.topics.availability) { $0 == "online" })
      #expect(late.waitForMessage(Self.topics.state) { $0.contains("Second") })
      let configs = late.messages.filter { $0.topic.hasSuffix("/config") }
      #expect(configs.count == 14 && late.messages.allSatisfy(\.isRetained))
      link.finish(within: Duration(milliseconds: 3_000))
      #expect(late.waitForMessage(Self.topics.availability) { $0 == "offline" })
    }
  }

  @Test("A client's orders reach the radio, and Home Assistant's start repeats all messages (M2)")
  func hears() async throws {
    try await Stage.run {
      let broker = try Mosquitto()
      try broker.publish(Self.own + "next", "PRESS", isRetained: true)
      let link = try Self.link(broker.port)
      defer { link.finish(within: Duration(milliseconds: 3_000)) }
      link.post(Self.radio("First"))
      let all = try broker.subscribe()
      defer { all.close() }
      #expect(all.waitForMessage(Self.topics.availability) { $0 == "online" })
      let orders: [(String, String, HomeOrder)] = [
        ("play", "PRESS", .play), ("volume", "33", .volume(33)), ("station", "Two \"2\"", .station("Two \"2\"")),
        ("keep", "PRESS", .keep),
      ]
      for (word, text, order) in orders {
        try broker.publish(Self.own + word, text)
        #expect(Self.next(link) == [order])
      }
      let before = all.messages.count { $0.topic == Self.topics.availability }
      usleep(5_000_000)
      try broker.publish(Self.topics.birth, "online")
      #expect(Self.waits { all.messages.count { $0.topic == Self.topics.availability } == before + 1 })
    }
  }

  @Test("A user with the right password is accepted, others refused (M2)")
  func users() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      // mosquitto_passwd -c -b FILE radio sesame
      folder.write(Array("radio:sesame\n".utf8), to: "users")
      let tool = Process()
      tool.executableURL = URL(fileURLWithPath: Repository.tool("mosquitto_passwd") ?? "/bin/false")
      tool.arguments = ["-U", folder.path + "/users"]
      try tool.run()
      tool.waitUntilExit()
      let broker = try Mosquitto("allow_anonymous false\npassword_file \(folder.path)/users")
      let right = Credentials(name: "radio", password: "sesame")
      for (user, state) in [
        (right, .connected(acceptsOrders: true)), (Credentials(name: "radio", password: "x"), .failed(.userRefused)),
        (nil, .failed(.userRefused)),
      ] as [(Credentials?, LinkState)] {
        let link = try Self.link(broker.port, user: user)
        #expect(Self.waits { link.state != .connecting } && link.state == state)
        link.finish(within: Duration(milliseconds: 3_000))
      }
    }
  }

  @Test("A returning broker is reconnected and gets all messages again (M2)")
  func comesBack() async throws {
    try await Stage.run {
      let broker = try Mosquitto()
      let link = try Self.link(broker.port)
      defer { link.finish(within: Duration(milliseconds: 3_000)) }
      link.post(Self.radio("First"))
      #expect(Self.waits { link.state == .connected(acceptsOrders: true) })
      broker.signal(SIGKILL)
      #expect(Self.waits { if case .failed = link.state { true } else { false } })
      link.post(Self.radio("Second"))
      try broker.start()
      let all = try broker.subscribe()
      defer { all.close() }
      #expect(
        all.waitForMessage(Self.topics.state) { $0.contains("Second") } && link.state == .connected(acceptsOrders: true)
      )
    }
  }

  @Test("A certificate needs its own name and the configured file (M2)")
  func certificates() async throws {
    try await Stage.run {
      let right = try OpenSSL(name: "localhost", from: 2020, to: 2099)
      let other = try OpenSSL(name: "x", from: 2020, to: 2099)
      let expired = try OpenSSL(name: "localhost", from: 2019, to: 2020)
      for (server, file, expected) in [
        (right, right.certificate, 0), (right, other.certificate, 18), (other, other.certificate, 62),
        (expired, expired.certificate, 10), (right, "", 18), (right, "/nonexistent", -1),
      ] as [(OpenSSL, String, Int)] {
        let broker = try Mosquitto(
          "allow_anonymous true\ncertfile \(server.certificate)\nkeyfile \(server.key)",
          secrets: ["--cafile", right.certificate])
        let link = try Self.link(broker.port, caFile: file)
        link.post(Self.radio("First"))
        #expect(Self.waits { link.state != .connecting })
        switch expected {
        case 0:
          #expect(link.state == .connected(acceptsOrders: true))
          let told = try broker.subscribe()
          #expect(told.waitForMessage(Self.topics.state) { $0.contains("First") })
          told.close()
        case -1: #expect(link.state == .failed(.unusableCertificates))
        default: #expect(link.state == .failed(.badCertificate(expected)))
        }
        link.finish(within: Duration(milliseconds: 3_000))
      }
    }
  }
}

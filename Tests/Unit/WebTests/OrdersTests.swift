import Foundation
import TestSupport
import Testing
import Units

@testable import System
@testable import Web

/// The panel as a service, switched and configured by the radio.
@Suite struct OrdersTests {
  private static let off = ["enabled: 0", "listen: ", "certificate: ", "key: ", "read_only: 0", "password_file: "]
  private static let coded = ["enabled: 1"] + off.dropFirst() + ["code: \(WebBench.code)"]

  private static func orders(_ lines: [String]) -> WebOrders { WebOrders(lines.compactMap { AnswerLine($0) }) }

  /// Returns the options from a radio's reply, or the error's sentence.
  private static func read(_ lines: [String], credentials: String? = nil) -> (options: WebOptions?, problem: String) {
    do throws(WebError) {
      let own = WebOptions(files: "page", socket: "socket")
      return (try orders(lines).options(own, credentials: credentials), "")
    } catch {
      return (nil, error.description)
    }
  }

  @Test("The radio gives the panel's addresses, files and password (W3)")
  func told() {
    #expect(!Self.orders(Self.off).isEnabled && !Self.orders([]).isEnabled && Self.orders(Self.coded).isEnabled)
    #expect(Self.orders(Self.coded).code == WebBench.code)
    let coded = Self.read(Self.coded).options
    #expect(coded == WebOptions(reportsLogin: true, files: "page", socket: "socket"))
    let lines = [
      "enabled: 1", "listen: [::]:8443,127.0.0.1:8080", "certificate: /etc/c.pem", "key: web.key", "read_only: 1",
      "password_file: web.password",
    ]
    var own = WebOptions(isReadOnly: true, files: "page", socket: "socket")
    own.listen = ["[::]:8443", "127.0.0.1:8080"].compactMap { ListenAddress($0) }
    (own.certificate, own.key, own.passwordFile) = ("/etc/c.pem", "/run/keys/web.key", "/run/keys/web.password")
    #expect(Self.read(lines, credentials: "/run/keys").options == own)
  }

  @Test(
    "An unservable panel gives a sentence",
    arguments: [
      (["enabled: 1", "key: web.key", "code: A"], "web.key in [web] is no path"),
      (["enabled: 1", "listen: [::]:8443,radio", "code: A"], "radio is no address"),
      (["enabled: 1"], "it sent no password"),
      (["enabled: 1", "password_file: /a", "code: A"], "it sent no password"),
    ])
  func refused(_ lines: [String], _ sentence: String) {
    let read = Self.read(lines)
    #expect(read.options == nil && read.problem.contains(sentence), "\(read)")
  }

  @Test("A missing radio is awaited, a refusal reported, and a signal ends the wait (W3)")
  func inquiry() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let socket = folder.path + "/socket"
      let clock = TestClock.current.clock
      #expect(try WebInquiry.ask(socket, watching: -1, clock, isEnding: { true }) == nil)
      let made = Locked<FakeRadio?>(nil)
      Thread.detachNewThread {
        usleep(100_000)
        guard let radio = try? FakeRadio(socket, { $0.answers["radio_web"] = Self.coded }) else { return }
        made.withLock { $0 = radio }
      }
      let end = monotonicSeconds() + 20
      let told = try WebInquiry.ask(socket, watching: -1, clock) { monotonicSeconds() > end }
      #expect(told == Self.orders(Self.coded))
      while made.withLock({ $0 == nil }), monotonicSeconds() < end { usleep(1_000) }
      let radio = try #require(made.withLock { $0 })
      radio.set { $0.answers["radio_web"] = ["ACK [5@0] {radio_web} No such command"] }
      #expect(throws: WebError.noOrders("No such command")) {
        try WebInquiry.ask(socket, watching: -1, clock) { monotonicSeconds() > end }
      }
      radio.stop()
    }
  }

  @Test("A late radio is queried again, before and while the panel is served (W3)")
  func late() async throws {
    try await Stage.run(speed: 20) {
      let folder = TemporaryFolder()
      let radio = try FakeRadio(folder.path + "/socket") { $0.answers["radio_web"] = Self.coded }
      // 6 s: longer than a request waits, but too short for a disconnect.
      radio.set { $0.late["radio_web"] = 6.0 / 20 }
      let end = monotonicSeconds() + 10
      let told = try WebInquiry.ask(radio.path, watching: -1, TestClock.current.clock) { monotonicSeconds() > end }
      #expect(told == Self.orders(Self.coded))
      radio.stop()
      let bench = try WebBench(follows: Self.orders(Self.coded))
      bench.radio?.set { ($0.late["radio_web"], $0.answers["radio_web"]) = (6.0 / 20, Self.off) }
      bench.radio?.note("options")
      #expect(bench.waits { bench.isOver })
    }
  }

  @Test("The panel ends if the radio does not know it (W3)")
  func unknown() async throws {
    try await Stage.run {
      let bench = try WebBench(follows: Self.orders(Self.coded))
      bench.radio?.set { $0.answers["radio_web"] = ["ACK [5@0] {radio_web} No such command"] }
      bench.radio?.note("options")
      #expect(bench.waits { bench.isOver })
    }
  }

  @Test("The panel ends when the radio's settings change, and not for other options (W3)")
  func changes() async throws {
    try await Stage.run {
      let bench = try WebBench(follows: Self.orders(Self.coded)) { options, _ in options.reportsLogin = true }
      let radio = try #require(bench.radio)
      radio.set { $0.answers["radio_web"] = Self.coded }
      radio.note("options")
      #expect(bench.waits { radio.takeAsked().contains("radio_web") })
      let browser = try bench.browser()
      #expect(bench.waits { radio.takeAsked().contains("radio_web \"login\"") })
      #expect(try browser.request("GET", "/api/status").status == 200 && !bench.isOver)
      radio.set { $0.answers["radio_web"] = Self.coded.map { $0.replacing("read_only: 0", with: "read_only: 1") } }
      radio.note("mixer")
      #expect(try browser.request("GET", "/api/status").status == 200)
      radio.note("options")
      #expect(bench.waits { bench.isOver })
    }
  }

  @Test("A restarted radio with the panel off ends it (W3)")
  func restart() async throws {
    try await Stage.run {
      let bench = try WebBench(follows: Self.orders(Self.coded))
      bench.stopRadio()
      try bench.restartRadio { $0.answers["radio_web"] = Self.off }
      #expect(bench.waits { bench.isOver })
    }
  }
}

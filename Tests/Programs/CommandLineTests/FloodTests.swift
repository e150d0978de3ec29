import Foundation
import MediaSupport
import StationSupport
import System
import TestSupport
import Testing

/// Guests press a broker's button, guess passwords from 300 addresses, and a station changes its title 100 times a
/// second.
@Suite(.enabled(if: Mosquitto.isInstalled, "mosquitto is not here: apt-get install mosquitto mosquitto-clients"))
struct FloodTests {
  private static let strangerCount = 300

  @Test("Floods of buttons, passwords and titles stay within their bounds; sound and the owner are undisturbed")
  func floods() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let house = try House(station)
      defer { house.messages.close() }
      let start = monotonicSeconds()
      let stateCount = house.stateCount
      let presses = Thread { try? house.pressKeep(until: start + 6) }
      presses.start()
      let slowest = try house.guessPasswords(Self.strangerCount)
      while monotonicSeconds() < start + 6 { usleep(10_000) }
      let elapsed = monotonicSeconds() - start
      let states = house.stateCount - stateCount
      #expect(try house.owner.signIn(house.code).status == 200, "a known device still signs in")
      #expect(try Browser(house.port, from: "127.0.9.9").signIn(house.code).status == 429)
      let end = try house.box.switchOff()
      let kept = try FileManager.default.contentsOfDirectory(atPath: house.folder.path + "/kept").count
      print(
        "flood: \(Int(elapsed)) s, \(kept) songs kept, \(states) states, slowest status \(Int(slowest * 1_000)) ms")
      #expect((1...Int(elapsed / 10) + 1).contains(kept))
      #expect((1...Int(elapsed) + 3).contains(states))
      #expect(end.code == 0)
      #expect(house.box.punctuality.holdsUnlessLate(end.errors.contains(" 0 underruns")), "\(end.errors)")
      #expect(house.box.punctuality.holdsUnlessLate(slowest < 0.2))
    }
  }

  /// Returns a station whose title changes every 10 ms.
  private static func station() throws -> ScriptedStation {
    let clip = Clip.mp3(40)
    let metaint = Int(clip.byteRate) / 100
    let titles = (0...clip.bytes.count / metaint).map { (at: $0 * metaint, text: "Band - \($0)") }
    let mixed = Icy.interleave(clip.bytes, metaint: metaint, titles: titles)
    let rate = Int(clip.byteRate) * mixed.count / clip.bytes.count
    return try ScriptedStation([
      .live("icy-metaint: \(metaint)"), .pace(mixed, perSecond: Double(rate), burst: rate * 6), .stall,
    ])
  }
}

/// A box with a broker, a web panel and a signed-in owner.
private final class House: @unchecked Sendable {
  let folder = TemporaryFolder()
  let box: Box
  let messages: Mosquitto.Subscriber
  let port: Int
  let code: String
  let owner: Browser
  private let broker: Mosquitto
  private let base: String
  private let web: Program
  private let peer: ControlPeer

  init(_ station: ScriptedStation) throws {
    broker = try Mosquitto()
    messages = try broker.subscribe()
    box = try Box(
      "[mqtt]\nserver = \"localhost:\(broker.port)\"\n[recording]\npath = \"\(folder.path)/kept\"\n",
      stations: [("One", station.url("/one"))])
    try box.start()
    guard box.manager.receives("STATUS=playing") else { throw POSIXError(.ETIMEDOUT) }
    peer = try ControlPeer(box.socket)
    let topic = try #require(messages.waitForTopic(endingWith: "/availability"))
    base = String(topic.dropLast("/availability".count))
    #expect(peer.waitForDisplay("Band"))
    port = try Loopback.freePort()
    folder.write(Array("<!doctype html>".utf8), to: "index.html")
    web = try Program(
      ["--listen", "127.0.0.1:\(port)", "--files", folder.path, "--socket", box.socket], name: "bakelite-web")
    guard web.waitForError("Code: "), let code = web.errorsSoFar.firstMatch(of: /Code: (\w+)/) else {
      throw POSIXError(.ETIMEDOUT)
    }
    self.code = String(code.1)
    owner = try Browser(port)
    #expect(try owner.signIn(self.code).status == 200)
  }

  deinit { web.signal(SIGKILL) }

  /// The states that the box has published.
  var stateCount: Int { messages.messages.count { $0.topic == base + "/state" } }

  /// Presses the broker's button without a pause.
  func pressKeep(until end: Double) throws {
    while monotonicSeconds() < end {
      try broker.publish("\(base)/set/keep", lines: Array(repeating: "PRESS", count: 100))
    }
  }

  /// Sends a wrong password from each address. Returns the seconds of the slowest answer to the owner.
  func guessPasswords(_ count: Int) throws -> Double {
    var slowest = 0.0
    for number in 0..<count {
      let answer = try Browser(port, from: "127.0.\(1 + number / 200).\(1 + number % 200)").signIn("WRONG234")
      #expect([401, 429].contains(answer.status))
      guard number % 10 == 0 else { continue }
      let start = monotonicSeconds()
      #expect(peer.status()["state"] == "playing")
      slowest = max(slowest, monotonicSeconds() - start)
    }
    return slowest
  }
}

import Foundation
import StationSupport
import TestSupport
import Testing

/// A box retries a station after giving up, unless a client stopped playback (R4.1, R4.3).
@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer"))
struct BoxRetryTests {
  private static func givenUp(_ station: ScriptedStation) throws -> (Box, ControlPeer) {
    let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
    try start(box)
    #expect(box.manager.receives("STATUS=Trouble: "))
    return (box, try ControlPeer(box.socket))
  }

  private static func start(_ box: Box) throws {
    try box.start(
      "null", preload: try Shim("clock"),
      environment: [
        "BAKELITE_AHEAD": box.folder.path + "/ahead", "BAKELITE_LAG": box.folder.path + "/lag",
      ])
  }

  /// Advances the clock by 61 s and waits until the box has read the clock. Returns a new client.
  private static func wait(_ box: Box) throws -> ControlPeer {
    let peer = try box.skip(to: 61)
    for _ in 0..<3 { _ = peer.request("ping") }
    return peer
  }

  /// Waits for `count` requests; true if the last request is for `path`.
  private static func visits(_ station: ScriptedStation, _ path: String, _ count: Int) -> Bool {
    let end = monotonicSeconds() + 10
    while station.visits.count < count, monotonicSeconds() < end { usleep(5_000) }
    return station.visits.count == count && station.visits.last?.path == path
  }

  @Test(
    "A stop cancels the retry of a given-up station, and no other station plays instead",
    arguments: ["stop", "pause 1", "delete 0", "clear"])
  func staysSilent(command: String) async throws {
    try await Stage.run {
      let station = try ScriptedStation {
        $0.path == "/one" ? StationAction.response("404 Not Found") : StationAction.onAir(.mp3(30))
      }
      defer { station.close() }
      let (box, peer) = try Self.givenUp(station)
      #expect(peer.request(command) == [])
      if command == "clear" { #expect(peer.request("add \(station.url("/two"))") == []) }
      #expect(box.manager.receives("STATUS=stopped"), "and no next try is told of")
      let later = try Self.wait(box)
      usleep(300_000)
      #expect(later.status()["state"] == "stopped")
      #expect(station.visits.map(\.path) == ["/one"])
      let isTwoNext = command == "clear" || command == "delete 0"
      #expect(later.request("play") == [] && Self.visits(station, isTwoNext ? "/two" : "/one", 2))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The retry uses the given-up station, even after another one was selected")
  func retriesItself() async throws {
    try await Stage.run {
      let station = try ScriptedStation {
        $0.path == "/one" ? StationAction.response("404 Not Found") : StationAction.onAir(.mp3(30))
      }
      defer { station.close() }
      let (box, peer) = try Self.givenUp(station)
      #expect(peer.request("radio_select Two") == [])
      let later = try Self.wait(box)
      #expect(Self.visits(station, "/one", 2), "\(station.visits.map(\.path))")
      #expect(later.waitForValue("stopped") && later.request("play") == [] && Self.visits(station, "/two", 3))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A station that failed during a pause is retried, and stays paused until playback is ordered")
  func staysPaused() async throws {
    try await Stage.run {
      let refuses = Gate()
      let station = try ScriptedStation { visit in
        visit.number == 0 ? [.gate(refuses)] + StationAction.response("404 Not Found") : StationAction.onAir(.mp3(30))
      }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      try Self.start(box)
      #expect(box.manager.receives("STATUS=connecting: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("pause 1") == [] && peer.waitForValue("paused"))
      refuses.open()
      #expect(box.manager.receives("STATUS=Trouble: "))
      let later = try Self.wait(box)
      #expect(later.waitForNumber("held") { $0 > 5 } && station.visits.count == 2)
      let status = later.status()
      #expect(status["state"] == "paused" && status["position"].flatMap { Double($0) } == 0, "\(status)")
      #expect(later.request("play") == [] && later.waitForNumber("position") { $0 > 1 })
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A station retried early is reported as being tried, not as waiting")
  func triedBeforeItsTime() async throws {
    try await Stage.run {
      let station = try ScriptedStation {
        $0.number == 0 ? StationAction.response("404 Not Found") : [.live(), .stall]
      }
      defer { station.close() }
      let (box, peer) = try Self.givenUp(station)
      #expect(peer.waitForDisplay("Retry in"))
      // A corrected clock may make a certificate valid; the box retries at once.
      box.folder.write(Array("3600".utf8), to: "lag")
      #expect(peer.waitForValue("connecting") && peer.waitForDisplay("Station not found"))
      let rows = peer.request("radio_display") ?? []
      #expect(rows.contains { $0.contains("Trying again") }, "\(rows)")
      #expect(try box.switchOff().code == 0)
    }
  }
}

import Foundation
import Settings
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct BoxRelocationTests {
  /// Starts a box whose first preset fails. A file from the day before contains its new address.
  private static func box(_ station: ScriptedStation, isFailing: Bool = true) throws -> (Box, ControlPeer) {
    let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
    var health = PresetHealth()
    health.ask(
      .init(
        url: StationAddress(station.url("/new")), name: "One FM", directoryID: "960cf833-0601-11e8-ae97-52543be04c81"),
      of: StationAddress(station.url("/one")), at: 0)
    try PresetHealthFile(folder: box.folder.path).save(health)
    try box.start("null")
    #expect(box.manager.receives(isFailing ? "STATUS=Trouble: " : "STATUS=connecting"))
    return (box, try ControlPeer(box.socket))
  }

  private static func station() throws -> ScriptedStation {
    try ScriptedStation { $0.path == "/one" ? StationAction.response("404 Not Found") : StationAction.onAir(.mp3(60)) }
  }

  private static func shows(_ peer: ControlPeer, _ row: String) -> Bool {
    let end = monotonicSeconds() + 10
    while peer.request("radio_display")?.contains("row_4: \(row)") != true {
      guard monotonicSeconds() < end else { return false }
      usleep(20_000)
    }
    return true
  }

  private static func files(_ peer: ControlPeer) -> [String] {
    (peer.request("playlistinfo") ?? []).filter { $0.hasPrefix("file: ") }.map { String($0.dropFirst(6)) }
  }

  @Test("A failing preset leads to a question, plays the other address, and accepts it (G5)")
  func accepts() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let (box, peer) = try Self.box(station)
      #expect(Self.shows(peer, "♪→listen  ✓ yes ✕ no"))
      #expect(peer.request("radio_display")?.contains("row_1: One moved?") == true)
      #expect(peer.request("radio_relocate")?.first == "preset: One")
      #expect(peer.request("radio_press select") == [] && box.manager.receives("STATUS=playing: One FM"))
      #expect(station.visits.last?.path == "/new" && Self.files(peer).count == 3)
      #expect(Self.shows(peer, "♪ listen  ✓→yes ✕ no"))
      #expect(peer.request("radio_press play_pause") == [] && box.manager.receives("STATUS=playing: One"))
      #expect(Self.files(peer) == [station.url("/new"), station.url("/two")])
      #expect(peer.request("radio_relocate") == [])
      #expect(box.fileBecomes("owner.toml") { $0.contains("alternatives = [\"\(station.url("/one"))\"]") })
      #expect(box.fileBecomes("presets") { !$0.contains("new_url=") })
      #expect(box.savedURL == station.url("/new") || box.fileBecomes("state") { $0.contains("/new") })
      #expect(try box.switchOff().code == 0)
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One") && station.visits.last?.path == "/new")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A refused address is not offered again, and the queue is unchanged (G5)", arguments: [true, false])
  func refuses(_ isHeard: Bool) async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let (box, peer) = try Self.box(station)
      #expect(Self.shows(peer, "♪→listen  ✓ yes ✕ no"))
      if isHeard { #expect(peer.request("radio_press select") == [] && box.manager.receives("STATUS=playing: One FM")) }
      #expect(peer.request("radio_turn \(isHeard ? 1 : 2)") == [])
      if !isHeard { #expect(Self.shows(peer, "♪ listen  ✓ yes ✕→no")) }
      #expect(peer.request("radio_turn 1") == [] && peer.request("radio_press select") == [])
      #expect(peer.request("radio_relocate") == [] && box.fileBecomes("presets") { $0.contains("refused=") })
      if isHeard { #expect(box.manager.receives("STATUS=Trouble: ")) }
      #expect(Self.files(peer) == [station.url("/one"), station.url("/two")])
      #expect(try box.switchOff().code == 0)
      #expect(String(decoding: box.folder.bytes(of: "owner.toml"), as: UTF8.self).isEmpty)
    }
  }

  @Test("A refusal in a silent box plays nothing (G5)", arguments: ["stop", "pause 1"])
  func refusesSilently(_ order: String) async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let (box, peer) = try Self.box(station)
      #expect(Self.shows(peer, "♪→listen  ✓ yes ✕ no"))
      #expect(peer.request("radio_press select") == [] && box.manager.receives("STATUS=playing: One FM"))
      let state = order == "stop" ? "stop" : "pause"
      #expect(peer.request(order) == [] && peer.waitForValue(state == "stop" ? "stopped" : "paused"))
      #expect(peer.request("radio_relocate refuse") == [])
      #expect(peer.request("status")?.contains("state: play") == false, "\(peer.status())")
      #expect(peer.request("play") == [] && box.manager.receives("STATUS=Trouble: "), "its own address is tried")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A refusal of an address that fails too makes the preset retry (G5)")
  func refusesDead() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.response("404 Not Found") }
      defer { station.close() }
      let (box, peer) = try Self.box(station)
      #expect(Self.shows(peer, "♪→listen  ✓ yes ✕ no"))
      #expect(peer.request("radio_press select") == [] && box.manager.receives("STATUS=Trouble: "))
      let count = station.visits.count { $0.path == "/one" }
      #expect(peer.request("radio_relocate refuse") == [])
      let end = monotonicSeconds() + 10
      while station.visits.count(where: { $0.path == "/one" }) == count, monotonicSeconds() < end { usleep(20_000) }
      #expect(station.visits.count { $0.path == "/one" } > count)
      #expect(Self.files(peer) == [station.url("/one"), station.url("/two")])
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A preset that was paused before its failure stays paused at its new address (G5)")
  func paused() async throws {
    try await Stage.run {
      let gate = Gate()
      let station = try ScriptedStation {
        $0.path == "/one" ? [.gate(gate)] + StationAction.response("404 Not Found") : StationAction.onAir(.mp3(60))
      }
      defer { station.close() }
      let (box, peer) = try Self.box(station, isFailing: false)
      #expect(peer.request("pause 1") == [])
      gate.open()
      #expect(box.manager.receives("STATUS=Trouble: "))
      #expect(peer.request("radio_relocate accept one") == [])
      let end = monotonicSeconds() + 10
      while station.visits.last?.path != "/new", monotonicSeconds() < end { usleep(20_000) }
      #expect(station.visits.last?.path == "/new" && peer.waitForValue("paused"))
      #expect(peer.request("status")?.contains("state: pause") == true)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A client accepts an address silently while another station plays (G5)")
  func byClient() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let (box, peer) = try Self.box(station)
      #expect(peer.request("radio_tune Two") == [] && box.manager.receives("STATUS=playing: Two"))
      #expect(peer.request("radio_relocate accept one") == [])
      #expect(Self.files(peer) == [station.url("/new"), station.url("/two")])
      #expect(peer.status()["state"] == "playing")
      #expect(station.visits.map(\.path) == ["/one", "/two"])
      #expect(try box.switchOff().code == 0)
    }
  }
}

import Foundation
import SeededRandom
import StationSupport
import TestSupport
import Testing

/// After a power cut or a restart, the box returns to the owner's last intent (I2).
@Suite struct IntentRestartTests {
  private static func station() throws -> ScriptedStation {
    try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
  }

  private static let orders = [
    ("stop", "stopped"), ("pause 1", "paused"), ("clear", "stopped"), ("radio_power off", "standby"),
    ("setvol 23", "playing"),
  ]

  @Test(
    "A stopped, paused, cleared or standby radio is silent after a power cut or a restart; a playing one plays (I2)",
    arguments: orders, [SIGKILL, SIGTERM])
  func silent(_ order: (command: String, intent: String), _ signal: Int32) async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one"))])
      let program = try box.start("null")
      #expect(box.manager.receives("STATUS=playing"))
      #expect(try ControlPeer(box.socket).request(order.command) == [])
      if signal == SIGKILL {
        let mark = order.intent == "playing" ? "volume=23" : "intent=\(order.intent)"
        #expect(box.fileBecomes("state") { $0.contains(mark) })
      }
      program.signal(signal)
      _ = try program.waitForEnd()
      box.manager.discardMessages()
      let visits = station.visits.count
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      if order.intent == "playing" {
        #expect(peer.waitForValue("playing") && peer.status()["volume"] == "23")
      } else {
        // A pause begins stopped, because the buffer is gone.
        let intent = order.intent == "paused" ? "stopped" : order.intent
        #expect(peer.waitForValue(intent, "intent") && peer.status()["state"] == "stopped")
        #expect(box.fileBecomes("state") { $0.contains("intent=\(intent)") })
        #expect(station.visits.count == visits)
        // At a power cut, the queue may not be written yet.
        if order.command == "clear", signal == SIGTERM {
          #expect(peer.request("playlist") == [], "a cleared queue stays empty")
        }
        #expect(peer.request(order.command == "clear" ? "radio_tune 1" : "play") == [] && peer.waitForValue("playing"))
        #expect(peer.status()["station"] == "One")
      }
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("After a stop and a restart, play plays the last station, also one outside of the presets (I2)")
  func lastStation() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one")), ("Two", station.url("/two"))])
      for path in ["/two", "/other"] {
        try box.start("null")
        #expect(box.manager.receives("READY=1"))
        let before = try ControlPeer(box.socket)
        #expect(before.request("radio_tune \(station.url(path))") == [] && before.waitForValue("playing"))
        #expect(before.request("stop") == [] && (try? box.switchOff().code) == 0)
        box.manager.discardMessages()
        let visits = station.visits.count
        try box.start("null")
        #expect(box.manager.receives("READY=1"))
        let peer = try ControlPeer(box.socket)
        #expect(peer.request("play") == [] && peer.waitForValue("playing"))
        #expect(station.visits.dropFirst(visits).map(\.path) == [path])
        #expect(try box.switchOff().code == 0)
        box.manager.discardMessages()
      }
    }
  }

  @Test("A box with [start] play = \"always\" plays even after standby (I2)")
  func always() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let box = try Box("[start]\nplay = \"always\"\n", stations: [("One", station.url("/one"))])
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing"))
      #expect(try ControlPeer(box.socket).request("radio_power off") == [])
      #expect(try box.manager.receives("STATUS=Standby") && box.switchOff().code == 0)
      #expect(box.state.contains("intent=standby"))
      box.manager.discardMessages()
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One"))
      #expect(try box.switchOff().code == 0)
    }
  }

  private static let kills = ProcessInfo.processInfo.environment["BAKELITE_KILLS"].flatMap { Int($0) } ?? 6

  @Test("Intent, volume and sleep timer are right after kills at random times; BAKELITE_KILLS=200 is long (I2)")
  func kills() async throws {
    try await Stage.run {
      let station = try Self.station()
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one"))])
      var random = SeededGenerator(48)
      // `end`: the time of standby.
      var (intent, volume, end) = ("playing", "30", Double?.none)
      for kill in 0..<Self.kills {
        let program = try box.start("null")
        #expect(box.manager.receives("READY=1"))
        let peer = try ControlPeer(box.socket)
        let status = peer.status()
        #expect(status["intent"] == intent && status["volume"] == volume, "kill \(kill): \(status)")
        let left = status["sleep_minutes"].flatMap { Double($0) }
        #expect((left == nil) == (end == nil), "kill \(kill)")
        if let left, let end { #expect(abs(left - (end - monotonicSeconds()) / 60) <= 1, "kill \(kill)") }
        #expect((status["state"] == "stopped") == (intent != "playing"), "kill \(kill): \(status)")
        let (command, next) =
          [
            ("stop", "stopped"), ("radio_power off", "standby"), ("radio_tune 1", "playing"),
          ].randomElement(using: &random) ?? ("stop", "stopped")
        volume = String(Int.random(in: 0...59, using: &random))
        #expect(peer.request(command) == [] && peer.request("setvol \(volume)") == [])
        intent = intent == "standby" && next == "stopped" ? "standby" : next
        // Standby ends the timer; the key adds one of 15 minutes.
        if next == "standby" { end = nil }
        if Bool.random(using: &random), intent == "playing", end == nil {
          #expect(peer.request("radio_press sleep") == [])
          end = monotonicSeconds() + 900
        }
        let lines = ["\nintent=\(intent)\n", "\nvolume=\(volume)\n"] + (end == nil ? [] : ["sleep="])
        #expect(box.fileBecomes("state") { text in lines.allSatisfy(text.contains) }, "kill \(kill): \(lines)")
        usleep(UInt32.random(in: 0...300_000, using: &random))
        program.signal(SIGKILL)
        _ = try program.waitForEnd()
        box.manager.discardMessages()
        #expect(!FileManager.default.fileExists(atPath: box.folder.path + "/state.broken"))
      }
    }
  }
}

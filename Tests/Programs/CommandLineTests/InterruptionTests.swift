import Foundation
import MediaSupport
import SinkBench
import StationSupport
import TestSupport
import Testing

/// Interruptions of the programs: by the control socket, a lost card and sleep (R10.1).
@Suite(.enabled(if: Shim.works, "needs clang, and no sanitizer")) struct InterruptionTests {
  @Test("`play` releases the card and takes it back, and resumes at the same sample")
  func play() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation(StationAction.onAir(clip))
      defer { station.close() }
      let (card, folder, shim) = (BenchCard(), TemporaryFolder(), try Shim("card", libraries: ["asound"]))
      let (path, events) = (folder.path + "/socket", folder.path + "/events")
      let punctuality = Punctuality()
      let program = try Program(
        [
          "play", "--output", "alsa:\(card.device)", "--drift", "off", "--control", path, "--events", events,
          station.url(),
        ], environment: ["LD_PRELOAD": shim.path])
      #expect(program.waitForError("Playing after") && card.isOpen)
      let peer = try ControlPeer(path)
      #expect(peer.waitForNumber("position") { $0 > 1 })
      #expect(peer.request("radio_suspend") == [])
      #expect(!card.isOpen && card.occupy(), "it is free as soon as that is answered")
      let status = peer.status()
      #expect((status["suspended"], status["state"]) == ("1", "paused"))
      #expect(peer.request("radio_resume") == [])
      #expect(peer.status()["error"]?.contains("in use by another program") == true)
      card.free()
      #expect(peer.waitForNumber("position") { $0 > 3 })
      // The error ends with the next report of the output.
      let end = monotonicSeconds() + 10
      while peer.status()["error"] != nil, monotonicSeconds() < end { usleep(20_000) }
      #expect(peer.status()["error"] == nil, "\(peer.status()["error"] ?? "")")
      card.state = .broken
      #expect(program.waitForError("failed"))
      card.state = .there
      #expect(program.waitForError("is there again") && peer.waitForNumber("position") { $0 > 4.5 })
      program.interrupt()
      #expect(try program.waitForEnd(within: 5).code == 0 && !card.isOpen)
      let told = String(decoding: folder.bytes(of: "events"), as: UTF8.self).split(separator: "\n").compactMap { line in
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["event"] as? String
      }
      let names: Set = ["deviceLost", "willSuspend", "suspended", "paused", "deviceBack", "resumed", "playing"]
      #expect(
        told.filter { names.contains($0) } == [
          "playing", "willSuspend", "paused", "suspended", "deviceLost", "deviceBack", "resumed", "playing",
          "deviceLost", "willSuspend", "paused", "suspended", "deviceBack", "resumed", "playing",
        ])
      let cuts = Sound(clip.pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
      // The third cut is the end.
      #expect(
        punctuality.holdsUnlessLate(cuts.prefix(2).allSatisfy { $0.count <= 2 * 222 } && cuts.count <= 3), "\(cuts)")
    }
  }

  @Test("A box reports a missing card, buffers meanwhile, and resumes when it returns")
  func box() async throws {
    try await Stage.run {
      let clip = Clip.mp3(40)
      let station = try ScriptedStation { _ in StationAction.onAir(clip) }
      defer { station.close() }
      let (card, shim) = (BenchCard(.gone), try Shim("card", libraries: ["asound"]))
      let box = try Box("[audio]\nstart_volume_max = 100\n", stations: [("One", station.url())])
      let program = try box.start("alsa:\(card.device)", watchdog: 400_000, preload: shim)
      #expect(box.manager.receives("READY=1") && box.manager.receives("STATUS=Trouble: soundCardMissing"))
      card.state = .there
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      let position = Double(peer.status()["position"] ?? "") ?? 0
      #expect(peer.waitForNumber("position") { $0 > position + 1 })
      card.state = .gone
      #expect(program.waitForError("failed") && box.manager.receives("STATUS=Trouble: soundCardMissing"))
      #expect(peer.request("radio_display")?.contains { $0.contains("No sound card") } == true)
      let status = peer.status()
      #expect(status["state"] == "paused" && (Double(status["held"] ?? "") ?? 0) > 5)
      #expect(box.manager.receives("WATCHDOG=1", within: 2))
      #expect(card.occupy())
      card.state = .there
      #expect(box.manager.receives("STATUS=Trouble: soundCardBusy"))
      card.free()
      #expect(box.manager.receives("STATUS=playing: One") && program.waitForError("is there again"))
      let back = Double(peer.status()["position"] ?? "") ?? 0
      let left = Double(status["position"] ?? "") ?? 0
      #expect(back >= left - 0.5 && back < left + 5, "\(back) after \(left)")
      #expect(station.visits.count == 1, "nobody tuned anew")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The watchdog is not fed while a thread stalls, and fed again afterwards (D8)")
  func standingThread() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let (card, shim) = (BenchCard(), try Shim("card", libraries: ["asound"]))
      let box = try Box(stations: [("One", station.url())])
      let program = try box.start("alsa:\(card.device)", watchdog: 400_000, preload: shim)
      #expect(box.manager.receives("STATUS=playing: One") && box.manager.receives("WATCHDOG=1", within: 2))
      card.state = .hung
      #expect(program.waitForError("The render thread has stopped responding.", within: 40))
      while box.manager.receives("WATCHDOG=1", within: 0.05) {}
      #expect(!box.manager.receives("WATCHDOG=1", within: 2))
      card.state = .there
      #expect(box.manager.receives("WATCHDOG=1", within: 25))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test(
    "The card's mixer sets the volume if it exists, and samples stay unchanged (D2)",
    arguments: [
      ("auto", "Digital -60 0", ["-1204", "off"]), ("hardware", "PCM -50 12", ["-1204", "off"]),
      ("software", "PCM -50 0", []), ("auto", "Mic -60 0", []),
    ] as [(String, String, [String])])
  func mixer(place: String, control: String, expected: [String]) async throws {
    try await Stage.run {
      // A file, because drift correction would change the samples of a live station.
      let clip = Clip.mp3(30)
      let station = try ScriptedStation(FileServer(clip.bytes))
      defer { station.close() }
      let (card, shim) = (BenchCard(), try Shim("card", libraries: ["asound"]))
      card.addMixer(control)
      let box = try Box("[audio]\nvolume = \"\(place)\"\n", stations: [("One", station.url())])
      try box.start("alsa:\(card.device)", preload: shim)
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("setvol 50") == [] && peer.waitForNumber("position") { $0 > 1 })
      let cuts = Sound(clip.pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
      #expect(box.punctuality.holdsUnlessLate(cuts.isEmpty != expected.isEmpty), "\(cuts)")
      #expect(peer.request("setvol 0") == [] && peer.waitForNumber("volume") { $0 == 0 })
      #expect(Array(card.volumes.suffix(2)) == expected, "\(card.volumes)")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A box that slept reconnects at once")
  func sleep() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(40)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      box.folder.write(Array("5000".utf8), to: "slept")
      try box.start("null", preload: try Shim("clock"), environment: ["BAKELITE_SLEPT": box.folder.path + "/slept"])
      #expect(box.manager.receives("STATUS=playing: One"))
      let events = try ControlPeer(box.socket)
      #expect(events.request("radio_events") == [])
      box.folder.write(Array("8600".utf8), to: "slept")
      #expect(events.waitForReceived("\"event\":\"resumed\"") && events.waitForReceived("\"event\":\"stitched\""))
      #expect(station.visits.count == 2)
      #expect(try box.switchOff().code == 0)
    }
  }
}

import Foundation
import MediaSupport
import SeededRandom
import SinkBench
import StationSupport
import TestSupport
import Testing

/// Other programs use the sound card after `bakelite ctl suspend`, until `ctl resume` (M3).
@Suite struct GuestTests {
  private static func ctl(_ box: Box, _ words: String...) throws -> Program.Outcome {
    try Program(["ctl", "--socket", box.socket] + words).waitForEnd(within: 20)
  }

  @Test("`ctl` lends and returns the sound card, and reports its user; so does the display")
  func lends() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForNumber("position") { $0 > 0.2 })
      let lent = try Self.ctl(box, "suspend", "AirPlay", "7200")
      #expect(lent.code == 0 && lent.output.isEmpty && lent.errors.isEmpty, "\(lent.errors)")
      #expect(box.manager.receives("STATUS=Suspended: AirPlay plays"))
      let count = box.pcmCount
      #expect(peer.waitForDisplay("AirPlay plays") && peer.status()["suspended_by"] == "AirPlay")
      let told = try Self.ctl(box, "status").outputText
      #expect(told.hasPrefix("Paused: One\nGuest: AirPlay uses the sound device, for at most 1:59:5"))
      let held = Double(peer.status()["held"] ?? "") ?? 0
      // A listener's play command does not end the guest's use.
      #expect(peer.request("play") == [] && peer.request("radio_press play_pause") == [])
      #expect(peer.waitForNumber("held") { $0 > held } && box.pcmCount == count, "the station goes on being held")
      #expect(try Self.ctl(box, "suspend", "Bluetooth", "--json").outputText == "{}\n")
      #expect(try Self.ctl(box, "resume", "AirPlay").code == 0 && peer.status()["suspended"] == "1")
      #expect(
        peer.waitForDisplay("Bluetooth plays") && peer.request("radio_press menu") == []
          && peer.waitForDisplay("→Take sound back"))
      #expect(peer.request("radio_press select") == [] && box.manager.receives("STATUS=playing: One"))
      #expect(peer.status()["suspended_by"] == nil && peer.waitForNumber("position") { $0 > 0.5 })
      #expect(peer.request("pause 1") == [])
      #expect(try Self.ctl(box, "suspend").code == 0 && peer.waitForDisplay("Guest plays"))
      #expect(try Self.ctl(box, "resume").code == 0 && peer.waitForValue("paused"), "what was paused stays so")
      for (words, sentence) in [
        (["suspend", "7200"], "is no number: 7200"), (["suspend", "A", "never"], "Integer expected"),
        (["resume", ""], "1 to 32 characters"), (["suspend", "A", "1", "2"], "too many arguments"),
      ] {
        let refused = try Program(["ctl", "--socket", box.socket] + words).waitForEnd()
        #expect(refused.code == 2 && refused.errors.contains(sentence), "\(refused.errors)")
      }
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The commands for shairport-sync and its service lend and return the card (M3)")
  func settings() async throws {
    try await Stage.run {
      let folder = Repository.root + "/config/shairport-sync/etc/"
      let files = ["shairport-sync.conf", "systemd/system/shairport-sync.service.d/bakelite.conf"]
      let lines = try files.flatMap {
        try String(contentsOfFile: folder + $0, encoding: .utf8).split(separator: "\n").filter { $0.contains("=") }
      }
      let hooks = lines.compactMap { line in
        line.firstRange(of: "/usr/bin/bakelite ctl ").map { line[$0.upperBound...].prefix { $0 != "\"" } }
      }
      #expect(hooks == ["suspend AirPlay", "resume AirPlay", "resume AirPlay"])
      #expect(lines.contains { $0.contains("wait_for_completion = \"yes\"") })
      let box = try Box(stations: [("One", "http://127.0.0.1:9/")])
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      for (hook, isLent) in zip(hooks, ["1", "0", "0"]) {
        let words = hook.split(separator: " ").map(String.init)
        #expect(try Program(["ctl", "--socket", box.socket] + words).waitForEnd().code == 0)
        #expect(try ControlPeer(box.socket).status()["suspended"] == isLent)
      }
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A restarting radio is waited for; a missing or stalled one is not")
  func restarts() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/")])
      let absent = try Self.ctl(box, "suspend", "AirPlay")
      #expect(absent.code == 1 && absent.errors.contains("is bakelited running?"), "\(absent.errors)")
      #expect(absent.time < 5 && absent.time > 2)
      let waiting = try Program(["ctl", "--socket", box.socket, "suspend", "AirPlay"])
      // The box starts while the command waits, as after a restart by the service manager.
      usleep(500_000)
      let program = try box.start("null")
      #expect(try waiting.waitForEnd(within: 5).code == 0)
      #expect(try ControlPeer(box.socket).status()["suspended_by"] == "AirPlay")
      program.signal(SIGSTOP)
      let silent = try Self.ctl(box, "resume", "AirPlay")
      #expect(silent.code == 1 && silent.errors.contains("does not answer") && silent.time < 6, "\(silent.errors)")
      program.signal(SIGCONT)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test(
    "Overlapping, repeated and missing hooks, also over a restart, leave one owner and audio afterwards",
    .enabled(if: Shim.works, "needs clang, and no sanitizer"))
  func hooks() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let (card, shim) = (BenchCard(), try Shim("card", libraries: ["asound"]))
      let box = try Box(stations: [("One", station.url())])
      try box.start("alsa:\(card.device)", preload: shim)
      #expect(box.manager.receives("STATUS=playing: One") && card.isOpen)
      var random = SeededGenerator(7)
      // Guests with an active request; the first guest has opened the card.
      var guests: [String] = []
      for step in 0..<30 {
        let name = ["AirPlay", "Bluetooth", "Doorbell"].randomElement(using: &random) ?? ""
        if Int.random(in: 0..<5, using: &random) < 3 {
          #expect(try Self.ctl(box, "suspend", name, "60").code == 0)
          if guests.isEmpty { #expect(card.occupy(), "step \(step): the radio has let go") }
          if !guests.contains(name) { guests.append(name) }
        } else {
          if guests == [name] { card.free() }
          guests.removeAll { $0 == name }
          #expect(try Self.ctl(box, "resume", name).code == 0)
        }
        // A conflict would show as a radio that is not suspended, or as a busy card.
        let status = try ControlPeer(box.socket).status()
        #expect(status["suspended"] == (guests.isEmpty ? "0" : "1") && status["error"] == nil, "step \(step)")
      }
      if !guests.isEmpty { card.free() }
      #expect(try Self.ctl(box, "resume").code == 0)
      // The lease ends without a hook after its duration.
      #expect(try Self.ctl(box, "suspend", "AirPlay", "1").code == 0 && !card.isOpen)
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForValue("0", "suspended") && card.isOpen && peer.waitForValue("playing"))
      // A killed radio forgets the lease and finds the card busy after its restart.
      #expect(try Self.ctl(box, "suspend", "AirPlay").code == 0 && card.occupy())
      box.program?.signal(SIGKILL)
      _ = try box.program?.waitForEnd()
      box.manager.discardMessages()
      try box.start("alsa:\(card.device)", preload: shim)
      #expect(box.manager.receives("STATUS=Trouble: soundCardBusy"))
      let again = try ControlPeer(box.socket)
      #expect(again.waitForDisplay("Sound card busy"))
      // The restarted radio accepts the guest's next hooks and displays its name.
      #expect(try Self.ctl(box, "suspend", "AirPlay").code == 0 && again.waitForDisplay("AirPlay plays"))
      card.free()
      #expect(try Self.ctl(box, "resume", "AirPlay").code == 0)
      #expect(again.waitForValue("playing") && card.isOpen && again.status()["error"] == nil)
      #expect(try box.switchOff().code == 0)
    }
  }
}

import Foundation
import SeededRandom
import Settings
import StationSupport
import System
import TestSupport
import Testing

@testable import Box

@Suite struct BoxHardshipTests {
  @Test("kill -9 at random times loses no station and no preset; BAKELITE_KILLS=1000 for more")
  func killed() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(10)) }
      defer { station.close() }
      let box = try Box(stations: (0..<8).map { ("Station \($0)", station.url("/\($0)")) })
      let file = ["--stations", box.folder.path + "/stations.toml"]
      let kills = ProcessInfo.processInfo.environment["BAKELITE_KILLS"].flatMap { Int($0) } ?? 25
      // The power cut falls into or after the writing of state and stations. The span shrinks if both were written, and
      // grows if not, which adapts the test to the machine's speed.
      var span = try Program(["stations", "list"] + file).waitForEnd().time * 2_000_000
      var random = SeededGenerator(5)
      var (last, count, moves) = (station.url("/0"), 8, 0)
      for _ in 0..<kills {
        let program = try box.start("null")
        #expect(box.manager.receives("READY=1"))
        let peer = try ControlPeer(box.socket)
        #expect(peer.request("currentsong")?.first == "file: \(last)", "it plays what it played last")
        let next = Int.random(in: 0..<8, using: &random)
        #expect(peer.request("play \(next)") == [])
        usleep(UInt32(SavedStateWriter.rest.milliseconds - 20) * 1_000)
        let edit = try Program(["stations", "add", "More \(count)", station.url("/more")] + file)
        usleep(UInt32(Double.random(in: 0..<span, using: &random)))
        program.signal(SIGKILL)
        edit.signal(SIGKILL)
        #expect(try program.waitForEnd(within: 5).code == 9)
        _ = try edit.waitForEnd(within: 5)
        let saved = box.savedURL ?? station.url("/0")
        #expect([last, station.url("/\(next)")].contains(saved))
        let isSaved = saved == station.url("/\(next)")
        if saved != last { moves += 1 }
        last = saved
        let list = try Program(["stations", "list", "--json"] + file).waitForEnd()
        let now = list.outputText.split(separator: "\n").count
        #expect(list.code == 0 && list.errors.isEmpty && [count, count + 1].contains(now), "\(list.errors)")
        span = isSaved && now > count ? max(1_000, span / 1.5) : min(5_000_000, span * 1.5)
        count = now
      }
      #expect(kills < 20 || count > 8 && moves > 0, "some were added, and some saved, before the cut")
      #expect(box.state.hasPrefix("bakelite-state 1\n"))
    }
  }

  @Test(
    "A stuck bus, missing pins and a knob with 1,000 turns a second do not disturb playback",
    .enabled(if: Shim.works, "needs clang, and no sanitizer"))
  func strangers() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/1")), ("Two", station.url("/2"))])
      let program = try box.start(preload: try Shim("stuckbus"))
      #expect(program.waitForError("GPIO"))
      #expect(!program.waitForError("cannot be preloaded", within: 0) && box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      var slowest = 0.0
      for (round, mode) in (["volume", "scrub", "tune"].flatMap { Array(repeating: $0, count: 150) }).enumerated() {
        let (start, turn) = (monotonicSeconds(), "radio_turn \(round % 2 == 0 ? 1 : -1) \(mode)\n")
        #expect(peer.request("command_list_begin\n" + String(repeating: turn, count: 10) + "command_list_end") == [])
        slowest = max(slowest, monotonicSeconds() - start)
        while monotonicSeconds() < start + 0.01 { usleep(500) }
      }
      print("box: 4,500 turns, the slowest ten took \(Int(slowest * 1_000)) ms")
      #expect(peer.status()["state"] == "playing")
      let before = monotonicSeconds()
      let end = try box.switchOff()
      let seconds = monotonicSeconds() - before
      #expect(end.code == 0)
      #expect(box.punctuality.holdsUnlessLate(end.errors.contains(" 0 underruns")))
      #expect(box.punctuality.holdsUnlessLate(seconds < 1))
    }
  }

  @Test(
    "A box that starts in 1970 reports the clock, and plays an HTTPS station once it is set (D14)",
    .enabled(if: Shim.works && OpenSSL.path != nil, "needs clang and openssl, and no sanitizer"))
  func year1970() async throws {
    try await Stage.run {
      let authority = try OpenSSL(name: "localhost", from: 2020, to: 2049)
      let answer = Array("HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n".utf8) + Clip.mp3(30).bytes
      try authority.serve(["live": answer]) { port in
        let box = try Box(stations: [("Safe", "https://localhost:\(port)/live")])
        let lag = box.folder.path + "/lag"
        box.folder.write(Array(String(Int(Date().timeIntervalSince1970) - 600).utf8), to: "lag")
        try box.start(
          preload: try Shim("clock"), environment: ["BAKELITE_LAG": lag, "SSL_CERT_FILE": authority.certificate])
        let isTold = box.manager.receives("STATUS=Trouble: waitingForClock")
        #expect(isTold, "\(box.manager.words)")
        let peer = try ControlPeer(box.socket)
        #expect(peer.request("radio_display")?.contains { $0.contains("clock") } == true)
        box.folder.write(Array("0".utf8), to: "lag")
        #expect(box.manager.receives("STATUS=playing: Safe"))
        #expect(try box.switchOff().code == 0)
      }
    }
  }

  /// True if a time server keeps the clock of this machine.
  private static var isClockKept: Bool { WallTime(known: 0, zone: "", .machine).isKept }

  @Test(
    "Two HTTPS stations of different domains correct a saved time 70 years ahead (D14)",
    .enabled(if: OpenSSL.path != nil && !isClockKept, "needs openssl, and a machine without a time server"))
  func witnesses() async throws {
    try await Stage.run {
      let format = DateFormatter()
      (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "GMT"))
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      let head = "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nDate: \(format.string(from: Date()))\r\n\r\n"
      let answers = ["live": Array(head.utf8) + Clip.mp3(30).bytes]
      let authorities = try ["one", "two"].map { try OpenSSL(name: "\($0).localhost", from: 2020, to: 2049) }
      try authorities[0].serve(answers) { port in
        try authorities[1].serve(answers) { other in
          let box = try Box(stations: [
            ("One", "https://one.localhost:\(port)/live"), ("Two", "https://two.localhost:\(other)/live"),
          ])
          let trusted = try authorities.map { try Data(contentsOf: URL(fileURLWithPath: $0.certificate)) }.joined()
          box.folder.write(Array(trusted), to: "trusted")
          var saved = SavedState()
          saved.wallClock = Int64(Date().timeIntervalSince1970) + 70 * 365 * 86_400
          try StateFile(folder: box.folder.path).save(saved)
          let line = "clock=\(saved.wallClock)\n"
          for areBoth in [false, true] {
            box.manager.discardMessages()
            try box.start(environment: ["SSL_CERT_FILE": box.folder.path + "/trusted"])
            #expect(box.manager.receives("STATUS=playing: One"))
            if areBoth {
              #expect(try ControlPeer(box.socket).request("radio_tune Two") == [])
              #expect(box.manager.receives("STATUS=playing: Two"))
            }
            #expect(try box.switchOff().code == 0)
            #expect(box.state.contains(line) != areBoth && box.state.contains("clock="), "\(box.state)")
          }
        }
      }
    }
  }

  @Test("A preset change that no longer fits owner.toml does not block later ones")
  func unfitChange() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/one")])
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_preset add Jazz http://127.0.0.1:9/jazz") == [])
      #expect(box.fileBecomes("owner.toml") { $0.contains("Jazz") })
      let files = ["--stations", box.folder.path + "/stations.toml", "--owner", box.folder.path + "/owner.toml"]
      #expect(try Program(["stations", "remove", "Jazz"] + files).waitForEnd().code == 0)
      // The box has not read the change yet.
      #expect(peer.request("radio_preset remove Jazz") == [])
      #expect(peer.request("radio_preset add Rock http://127.0.0.1:9/rock") == [])
      #expect(box.fileBecomes("owner.toml") { $0.contains("Rock") && !$0.contains("Jazz") })
      #expect(try box.switchOff().code == 0)
    }
  }

  /// A folder with the temporary file's name makes these files unwritable.
  private static let files = ["owner.toml", "queue", "state"]

  @Test("A failed write is retried ten seconds later and at the end", arguments: [false, true])
  func unwritable(isEnding: Bool) async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/one"), ("Two", "http://127.0.0.1:9/two")])
      let blocks = Self.files.map { "\(box.folder.path)/.\($0).new" }
      for block in blocks { try FileManager.default.createDirectory(atPath: block, withIntermediateDirectories: true) }
      let program = try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_preset add Jazz http://127.0.0.1:9/jazz") == [])
      #expect(peer.request("add http://127.0.0.1:9/queued") == [] && peer.request("setvol 41") == [])
      for name in Self.files { #expect(program.waitForError("/\(name): it cannot be written", within: 20)) }
      for block in blocks { try FileManager.default.removeItem(atPath: block) }
      if isEnding { #expect(try box.switchOff().code == 0) }
      let patience = isEnding ? 0 : 30.0
      #expect(box.fileBecomes("owner.toml", within: patience) { $0.contains("Jazz") })
      #expect(box.fileBecomes("queue", within: patience) { $0.contains("queued") })
      #expect(box.fileBecomes("state", within: patience) { $0.contains("volume=41\n") })
      if !isEnding { #expect(try box.switchOff().code == 0) }
    }
  }
}

import Http
import MediaSupport
import Network
import RadioEngine
import TestSupport
import Testing
import Units

@testable import Control

/// Seeking in a queued file with MPD's own commands (R11.1, D13).
@Suite struct FileSeekTests {
  private static let bytes = ToneMp3.frames(12_000, seed: 17)

  private static let places: [(String, Double)] = [
    ("seekcur 200", 200), ("seekcur +50", 250), ("seekcur -100", 150), ("seek 0 20.5", 20.5), ("seek 0 300", 300),
  ]

  private static func number(_ key: String, _ client: Client, _ command: String = "status") -> Double {
    for pair in client.pairs(command) where pair.key == key { return Double(pair.value) ?? -1 }
    return -1
  }

  @Test("seek, seekcur and status work for any position of a file, buffered or not")
  func seeks() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let bench = try Bench(isPaced: true)
      let address = try WebAddress(filePath: folder.write(Self.bytes, to: "long.mp3"))
      bench.player.add(StationRequest(url: address.url))
      let client = bench.client()
      _ = client.ask("play 0")
      let isPlaying = bench.run { bench.player.state == .playing }
      #expect(isPlaying)
      let whole = Self.number("duration", client)
      #expect(abs(whole - 12_000 * 1_152 / 44_100.0) < 0.03)
      for (command, seconds) in Self.places {
        let answer = client.ask(command)
        #expect(answer == "OK\n")
        let isThere = bench.run {
          bench.player.state == .playing && abs(bench.player.status.position - seconds - 1) < 0.8
        }
        let elapsed = Self.number("elapsed", client)
        #expect(isThere, "\(command): \(elapsed)")
        #expect(abs(elapsed - seconds) < 3, "\(command): \(elapsed)")
      }
      let keys = ["seekable", "rewind_allowed", "fast_forward_allowed"]
      let allowed = keys.map { Self.number($0, client, "radio_status") }
      #expect(allowed == [1, 1, 1])
    }
  }
}

/// `radio_suspend` replies when the device is free, and delays only its own client.
@Suite struct SuspensionTests {
  @Test("A waiting reply delays its own client's commands, and no other client", arguments: [false, true])
  func suspend(inList: Bool) async throws {
    try await Stage.run {
      let bench = try Bench(isPaced: true)
      let (client, other) = (bench.client(), bench.client())
      let lines = inList ? "command_list_ok_begin\nradio_suspend\nping\ncommand_list_end" : "radio_suspend\nping"
      // A render thread with a higher priority may already have released the device.
      var answer = client.ask(lines)
      #expect(answer.isEmpty == client.session.isWaiting && !client.session.hasWork)
      #expect(other.ask("ping") == "OK\n")
      #expect(
        bench.run {
          client.session.work()
          answer += client.heard
          return answer.hasSuffix(inList ? "\nOK\n" : "OK\nOK\n")
        })
      #expect(answer == (inList ? "list_OK\nlist_OK\nOK\n" : "OK\nOK\n"))
      #expect(bench.events.suffix(2) == ["willSuspend", "suspended"])
      #expect(client.ask("radio_resume") == "OK\n" && bench.run { !bench.player.device.isSuspended })
    }
  }
}

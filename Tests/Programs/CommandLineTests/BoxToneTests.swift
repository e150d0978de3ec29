import Foundation
import MediaSupport
import StationSupport
import TestSupport
import Testing

/// The tone of the fallback chain in the PCM of a box (F4).
@Suite(.enabled(if: StoppedThreads.isPermitted, "needs clang, ptrace(2), and no sanitizer"))
struct BoxToneTests {
  @Test(
    "The tone plays while the net and decode threads stand still, and afterwards the station (F4)",
    arguments: ["", "\"\(Repository.root)/config/demo\""])
  func stopped(fallbacks: String) async throws {
    try await Stage.run {
      let broadcast = Broadcast(.mp3(70), burst: 2)
      let station = try ScriptedStation { [.live()] + broadcast.actions($0) }
      defer { station.close() }
      let settings = "[continuity]\ntone = true\nfallback_after_s = 2\nreturn_after_s = 1\nfallback = [\(fallbacks)]\n"
      let box = try Box(settings, stations: [("One", station.url())])
      let program = try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("setvol 100") == [] && box.pcmBecomes { $0.hasProgramme })
      let threads = try StoppedThreads(["bk-net", "bk-decode"], of: program.identifier)
      #expect(threads.count == 2)
      #expect(peer.waitForValue("tone", "source"))
      #expect(box.pcmBecomes { $0.toneCount == 1 && $0.sounds.contains { $0.isTone && $0.peak > 1_000 } })
      threads.resume()
      let start = box.pcmCount / 4 * 4
      #expect(box.pcmBecomes(from: start) { $0.hasProgramme })
      #expect(peer.status()["source"] != "tone")
      #expect(try box.switchOff().code == 0)
    }
  }
}

extension Box {
  /// Waits until the PCM from a byte on satisfies a condition. Returns false after 30 s.
  func pcmBecomes(from start: Int = 0, _ isSo: (ChainTone) -> Bool) -> Bool {
    let end = monotonicSeconds() + 30
    while !isSo(ChainTone(folder.bytes(of: "pcm").dropFirst(start))) {
      guard monotonicSeconds() < end else { return false }
      usleep(100_000)
    }
    return true
  }
}

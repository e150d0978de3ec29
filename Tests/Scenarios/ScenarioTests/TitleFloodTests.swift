import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

/// More titles than audio neither overload the radio nor hide events (R6.1).
@Suite struct TitleFloodTests {
  /// Audio with a title of `titleByteCount` bytes after each byte.
  private static func flood(_ audio: [UInt8], titleByteCount: Int) -> [UInt8] {
    var mixed: [UInt8] = []
    for (number, byte) in audio.enumerated() {
      let text = "\(number) " + String(repeating: "x", count: max(0, titleByteCount - 24))
      mixed += [byte] + Icy.block("StreamTitle='\(text)';")
    }
    return mixed
  }

  @Test("A packet has one title at most, the last one")
  func oneTitleAPacket() async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(10)
      let station = try ScriptedStation([
        .live("icy-metaint: 1"), .send(Self.flood(clip.bytes, titleByteCount: 16)), .stall,
      ])
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(bench.run { bench.written > clip.duration - 1 })
      bench.run(for: 1)
      #expect(bench.titles.count > 10 && bench.titles.count <= clip.packets.count + 1)
      let numbers = bench.titles.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
      #expect(numbers == numbers.sorted(), "in their order")
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil)
    }
  }

  @Test("Required notices arrive although titles fill the ring and no thread reads for a while")
  func nothingElseIsMissed() async throws {
    try await Stage.run {
      let clip = Clip.long(6)
      let titles = (0..<200).map { (at: $0 * 200, text: "\($0) " + String(repeating: "y", count: 1_000)) }
      let mixed = Icy.interleave(clip.bytes, metaint: 200, titles: titles)
      let isBack = Gate()
      let station = try ScriptedStation { visit in
        visit.number == 0
          ? [.live("icy-metaint: 200"), .send(mixed)]
          : [.live(), .send(Clip.long(6, seed: 2).bytes), .open(isBack), .stall]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(isBack.wait(20))
      #expect(bench.waitForConnection())
      // The end of the flood, not a later silence.
      let reason: PlaybackFault.Detail? = bench.next(within: 10) {
        if case .reconnecting(_, _, let reason) = $0 { reason.detail } else { nil }
      }
      #expect(reason == .closed)
      #expect(bench.waitForConnection(within: 10))
      #expect(bench.titles.count < titles.count, "some found no room")
    }
  }

  @Test("The radio does other work during a title flood, and counts missed titles")
  func stepsAreBounded() async throws {
    try await Stage.run {
      let clip = Clip.long(19)
      let station = try ScriptedStation([
        .live("icy-metaint: 16"), .send(Icy.interleave(clip.bytes, metaint: 16, titles: Self.titles(clip))), .stall,
      ])
      defer { station.close() }
      let rig = try RadioRig()
      var most = 0
      rig.tune(station.url())
      var seen = 0
      #expect(
        rig.run(20) {
          let count = rig.events("metadataReceived").count
          (most, seen) = (max(most, count - seen), count)
          return rig.radio.status.blocks.written.seconds > 18
        })
      #expect(rig.radio.status.missedNotices >= 0 && most <= 64)
      #expect(seen + rig.radio.status.missedNotices <= clip.packets.count + 1)
    }
  }

  @Test("The last of many seeks is reported, even if the decode thread was not read for a while")
  func lastSeekIsTold() async throws {
    try await Stage.run {
      let station = try ScriptedStation([.live(), .send(Clip.long(30).bytes), .stall])
      defer { station.close() }
      let rig = try RadioRig(InterruptionBench.settings)
      rig.tune(station.url())
      try #require(rig.next("playing") != nil)
      rig.run(for: 1)
      // Without work for the control thread; each seek completes before the next.
      for turn in 0..<150 {
        rig.radio.rewind(by: turn % 2 == 0 ? 0.5 : -0.5)
        let beat = rig.radio.heartbeats.decode
        try #require(waits { rig.radio.heartbeats.decode &- beat > 1 })
      }
      #expect(rig.next("seekDone", within: 5) != nil)
      #expect(rig.radio.status.missedNotices > 0, "seeks before the last found no room")
      _ = rig.radio.close()
    }
  }

  private func waits(until isDone: () -> Bool) -> Bool {
    let end = monotonicSeconds() + 5
    while !isDone() {
      guard monotonicSeconds() < end else { return false }
      usleep(200)
    }
    return true
  }

  private static func titles(_ clip: Clip) -> [(at: Int, text: String)] {
    stride(from: 0, to: clip.bytes.count, by: 16).map { (at: $0, text: "Song \($0)") }
  }
}

import Foundation
import MediaSupport
import Network
import RadioEngine
import RadioSupport
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct GapTests {
  struct Gap: CustomTestStringConvertible {
    var testDescription: String
    var before: Clip
    var damage: [UInt8]
    var after: Clip
    var type: String
  }

  private static let undecodable = [UInt8](
    ToneMp3.frames(1).enumerated().map { (4..<36).contains($0.offset) ? 0xFF : $0.element })

  static let gaps = [
    Gap(
      testDescription: "noise between packets", before: .aac(2), damage: [UInt8](repeating: 0x55, count: 700),
      after: .aac(4), type: "audio/aac"),
    Gap(
      testDescription: "a packet that no decoder takes", before: Clip(ToneMp3.frames(80)), damage: undecodable,
      after: Clip(ToneMp3.frames(80, seed: 2)), type: "audio/mpeg"),
  ]

  @Test("After a gap audio fades in within 5 ms, and is unchanged elsewhere (R4.5)", arguments: gaps)
  func recovers(gap: Gap) async throws {
    try await Stage.run {
      let bytes = gap.before.bytes + gap.damage + gap.after.bytes
      let station = try ScriptedStation([.live(type: gap.type), .send(bytes)])
      defer { station.close() }
      let rig = try RadioRig()
      rig.tune(station.url()) { $0.retry = .times(0) }
      #expect(rig.playOut())
      _ = rig.radio.close()
      let clip = Clip(bytes)
      let torn = clip.packets.firstIndex { $0.info.followsGap } ?? gap.before.packets.count
      let start = clip.prefix(packets: torn).pcm().count
      let end = start + 4 * 220
      let (heard, whole) = (rig.pcm, clip.pcm())
      #expect(heard.count == whole.count)
      #expect(difference(Array(heard[..<start]), beginningOf: whole) == nil)
      #expect(difference(Array(heard[end...]), Array(whole[end...])) == nil)
      let (ramp, truth) = (Self.samples(heard[start..<end]), Self.samples(whole[start..<end]))
      #expect(zip(ramp, truth).allSatisfy { abs($0) <= abs($1) })
      #expect(Self.peak(truth.prefix(20)) > 50, "there is something to be lowered")
      #expect(Self.peak(ramp.prefix(20)) <= Self.peak(truth.prefix(20)) / 20)
    }
  }

  private static func peak(_ samples: ArraySlice<Int>) -> Int { samples.map { abs($0) }.max() ?? 0 }

  private static func samples(_ pcm: ArraySlice<UInt8>) -> [Int] {
    stride(from: pcm.startIndex, to: pcm.endIndex, by: 2).map {
      Int(Int16(bitPattern: UInt16(pcm[$0]) | UInt16(pcm[$0 + 1]) << 8))
    }
  }
}

/// A reconnect's overlap with the buffer: titles and requests (R4.2).
@Suite struct OverlapTests {
  @Test(
    "Titles in the overlap are not repeated, wherever their blocks are", arguments: [1_000, 3_000, 8_192, 16_000])
  func titles(metaint: Int) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(60)
      let second = Int(clip.byteRate)
      let cues = [(at: 0, text: "One"), (at: 6 * second, text: "Two"), (at: 25 * second, text: "Three")]
      let station = try ScriptedStation { visit in
        // The second connection starts at 4 s; its overlap contains the change from One to Two.
        let first = visit.number == 0 ? 0 : clip.bytes.count / clip.packets.count * 153
        let cut = visit.number == 0 ? 10 * second : clip.bytes.count
        let part = Array(clip.bytes[first..<cut])
        let moved = cues.map { (at: max(0, $0.at - first), text: $0.text) }
        let mixed = Icy.interleave(part, metaint: visit.number == 0 ? 4_000 : metaint, titles: moved)
        return [
          .live("icy-metaint: \(visit.number == 0 ? 4_000 : metaint)"),
          .pace(mixed, perSecond: clip.byteRate, burst: 12 * second),
        ]
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(try #require(bench.nextStitch()).isExact)
      #expect(bench.run { bench.titles.last == "Three" })
      #expect(bench.titles == ["One", "Two", "Three"])
    }
  }

  @Test("Retry-After delays the next request", arguments: ["6", "Thu, 01 Jan 2026 00:00:06 GMT"])
  func retryAfter(value: String) async throws {
    try await Stage.run(speed: 4) {
      let clip = Clip.long(30)
      let broadcast = Broadcast(clip, burst: 12)
      let station = try ScriptedStation { visit in
        switch visit.number {
        case 0: [.live()] + broadcast.actions(visit, for: 1)
        case 1:
          StationAction.response(
            "503 Later", headers: ["Date: Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After: \(value)"])
        default: [.live()] + broadcast.actions(visit)
        }
      }
      defer { station.close() }
      let bench = try NetBench()
      bench.tune(station.url())
      #expect(try #require(bench.nextStitch()).isExact)
      try #require(station.pauses.count > 1)
      #expect(station.pauses[1] > 5.8 && station.pauses[1] < 12)
      let delays = bench.notices.compactMap { told -> Double? in
        if case .reconnecting(_, let delay, _) = told.notice { delay.seconds } else { nil }
      }
      #expect(delays.count == 2 && delays[1] > 5.5 && delays[1] <= 6)
    }
  }
}

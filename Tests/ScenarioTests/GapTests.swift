import Radio
import TestSupport
import Testing

/// What is missing in a stream makes no click.
@Suite struct GapTests {
  struct Gap: CustomTestStringConvertible {
    var testDescription: String
    var before: Clip
    var damage: [UInt8]
    var after: Clip
    var type: String
  }

  /// A Layer III packet whose side information is nonsense.
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

  @Test("behind a gap the sound comes back from silence in 5 ms, and is untouched elsewhere (R4.5)", arguments: gaps)
  func comesBack(gap: Gap) async throws {
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

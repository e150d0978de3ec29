import Http
import MediaSupport
import RadioEngine
import RadioSupport
import SinkBench
import StationSupport
import TestSupport
import Testing
import Units

@Suite struct CardRateTests {
  /// Plays five seconds at 44.1 kHz with a card that appears late or changes.
  private static func play(_ card: BenchCard, _ change: (RadioRig, Clip) throws -> Void) throws {
    let folder = TemporaryFolder()
    let clip = Clip.mp3(5)
    let path = folder.write(clip.bytes, to: "five.mp3")
    var output = card.output
    output.waitsForDevice = true
    let rig = try RadioRig(InterruptionBench.settings, to: output)
    rig.tune(try WebAddress(filePath: path).url.unredacted)
    try change(rig, clip)
    guard case .fileComplete(let heard) = rig.next("fileComplete") else {
      Issue.record("no end: \(rig.names)")
      return
    }
    #expect(abs(heard - clip.duration) < 0.1, "\(heard) s")
    #expect(rig.events("seekDone").isEmpty, "the listener went nowhere")
    _ = rig.radio.close()
  }

  @Test("A late card with another rate plays all waiting audio")
  func late() async throws {
    try await Stage.run(speed: 3) {
      let card = BenchCard(.gone)
      card.rates = ["S16_LE": [48_000]]
      try Self.play(card) { rig, _ in
        #expect(rig.next("paused") != nil)
        rig.run(for: 2)
        card.state = .there
        #expect(rig.next("playing") != nil && rig.events("deviceLost").count == 1)
      }
      let seconds = Double(card.playedPcm.count / 4) / 48_000
      #expect(abs(seconds - 5) < 0.2, "\(seconds) s at 48 kHz")
    }
  }

  @Test("A replacement card resumes at the same sample, at its own rate")
  func swapped() async throws {
    try await Stage.run(speed: 2) {
      let card = BenchCard()
      var before = 0
      try Self.play(card) { rig, clip in
        try #require(rig.next("playing") != nil)
        rig.run(for: 1.5)
        card.state = .gone
        #expect(rig.next("suspended") != nil)
        before = card.playedPcm.count / 4
        let same = Sound(clip.pcm()).differingRanges(from: Sound(card.playedPcm), at: 0)
        #expect(rig.holdsUnlessLate(same.isEmpty), "\(same)")
        card.rates = ["S16_LE": [48_000]]
        card.state = .there
        #expect(rig.next("deviceBack") != nil && rig.next("playing") != nil)
      }
      let seconds = Double(before) / 44_100 + Double(card.playedPcm.count / 4 - before) / 48_000
      #expect(abs(seconds - 5) < 0.2, "\(seconds) s in all")
    }
  }

  @Test(
    "A card gets 16, 24 or 32 bits as it supports, with equal audio (D2)",
    arguments: [
      (["S16_LE"], 2, 0), (["S24_LE"], 4, 8), (["S24_3LE"], 3, 8), (["S32_LE"], 4, 16), (["S24_LE", "S32_LE"], 4, 16),
      (["S24_3LE", "S24_LE"], 4, 8), (["S16_LE", "S24_3LE", "S24_LE", "S32_LE"], 2, 0),
    ])
  func formats(names: [String], byteCount: Int, shift: Int) async throws {
    try await Stage.run(speed: 3) {
      let card = BenchCard()
      card.rates = Dictionary(uniqueKeysWithValues: names.map { ($0, [44_100]) })
      try Self.play(card) { rig, _ in #expect(rig.next("playing") != nil && rig.events("deviceLost").isEmpty) }
      let given = card.playedPcmWithFill
      let heard = stride(from: 0, to: given.count / byteCount * byteCount, by: byteCount).map { place -> Int in
        var value = 0
        for index in 0..<byteCount { value |= Int(given[place + index]) << (8 * index) }
        let unused = 64 - 8 * byteCount
        return (value << unused) >> unused
      }
      let wanted = Clip.mp3(5).pcm().withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Int($0) } }
      #expect(heard.count >= wanted.count)
      // The output of 16 bits is rounded without dither.
      let worst = zip(heard, wanted).map { abs(Double($0) / Double(1 << shift) - Double($1)) }.max() ?? .infinity
      #expect(worst <= 1, "\(worst) steps of 16 bits off")
      if shift > 0 { #expect(heard.contains { $0 & ((1 << shift) - 1) != 0 }, "it has more than 16 bits") }
    }
  }

  @Test("A card's rates depend on the sample format")
  func byFormat() async throws {
    try await Stage.run(speed: 3) {
      let card = BenchCard()
      card.rates = ["S16_LE": [48_000], "S32_LE": [44_100, 48_000]]
      try Self.play(card) { rig, _ in #expect(rig.next("playing") != nil && rig.events("deviceLost").isEmpty) }
      #expect(abs(Double(card.playedPcm.count / 4) / 48_000 - 5) < 0.2)
    }
  }
}

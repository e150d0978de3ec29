import Foundation
import Framing
import SeededRandom
import Testing

struct LatmReaderTests {
  /// Access units with random bytes, which include false syncwords.
  static func units(_ count: Int, seed: UInt64 = 1, lengths: ClosedRange<Int> = 1...700) -> [[UInt8]] {
    var random = SeededGenerator(seed)
    return (0..<count).map { _ in random.bytes(Int.random(in: lengths, using: &random)) }
  }

  static let shapes = [
    LatmShape(),
    LatmShape(name: "version 1", version: 1),
    LatmShape(name: "a config now and then", interval: 5),
    LatmShape(name: "four units", unitCount: 4, interval: 2),
    LatmShape(name: "eight units, version 1", version: 1, unitCount: 8),
    LatmShape(name: "other data", otherBits: 13, interval: 3),
    LatmShape(name: "much other data", otherBits: 1_003),
    LatmShape(name: "other data, version 1", version: 1, otherBits: 300, hasCRC: true),
    LatmShape(name: "CRC", hasCRC: true),
    LatmShape(name: "excess bytes", interval: 4, excess: 3),
  ]

  @Test("Audio becomes ADTS, for any pieces", arguments: shapes)
  func soundComesOut(shape: LatmShape) {
    let units = Self.units(40)
    let stream = shape.frames(units).flatMap { $0 }
    // Only a frame without excess bytes is complete without its successor.
    let wanted = units.dropLast(shape.excess == 0 ? 0 : 1).map { LatmShape.adts($0) }
    for step in [1, 2, 3, 7, 188, 4_096, .max] {
      let heard = LatmHeard(stream, step: step)
      #expect(heard.sound == wanted)
      #expect(heard.isLocked && heard.refusal == nil)
    }
  }

  @Test("Every alignment and length of an access unit is read", arguments: 0..<8)
  func everyAlignment(fillBits: Int) {
    var units = (1...300).map { Build.quiet($0, seed: 3) }
    units += [509, 510, 511, 4_993, 8_100].map { Build.quiet($0, seed: 4) }
    for tail in [[], BitWriter.sbrAndPs] {
      let shape = LatmShape(version: 1, config: .config(tail: tail), interval: 2, fillBits: fillBits)
      #expect(LatmHeard(shape.frames(units).flatMap { $0 }, step: 1_000).sound == units.map { LatmShape.adts($0) })
    }
  }

  @Test("64 units per frame are read, and empty ones ignored")
  func manyUnits() {
    var units = Self.units(640, lengths: 1...100)
    let shape = LatmShape(unitCount: 64)
    #expect(LatmHeard(shape.frames(units).flatMap { $0 }, step: 100).sound == units.map { LatmShape.adts($0) })
    for index in stride(from: 5, to: 640, by: 7) { units[index] = [] }
    let wanted = units.filter { !$0.isEmpty }.map { LatmShape.adts($0) }
    #expect(LatmHeard(shape.frames(units).flatMap { $0 }).sound == wanted)
  }

  @Test(
    "All SBR and PS signals leave the core's rate and bits intact", arguments: [0, 1],
    [
      BitWriter.config(rate: 6), .config(rate: 6, outer: 5), .config(rate: 6, outer: 29),
      .config(rate: 6, tail: BitWriter.sbr), .config(rate: 6, tail: BitWriter.sbrAndPs),
    ])
  func signs(version: Int, config: BitWriter) {
    let units = Self.units(12)
    let shape = LatmShape(version: version, config: config, interval: 3)
    #expect(LatmHeard(shape.frames(units).flatMap { $0 }).sound == units.map { LatmShape.adts($0, rate: 6) })
  }

  static let refused: [(LatmShape, RefusedCodec)] = [
    (LatmShape(name: "xHE-AAC", config: .config(type: 42)), .xheAac),
    (LatmShape(name: "xHE-AAC, version 1", version: 1, config: .config(type: 42)), .xheAac),
    (LatmShape(name: "960 samples", config: .config(isShort: true)), .shortFrames),
    (LatmShape(name: "low delay", config: .config(type: 23)), .unknownAac),
    (LatmShape(name: "a layout of its own", config: .config(channels: 11)), .unknownAac),
    (LatmShape(name: "no rate", config: .config(rate: 13)), .unknownAac),
    (LatmShape(name: "version A", version: 1, versionA: 1), .unknownAac),
    (LatmShape(name: "other timing", isSameTime: false), .unknownAac),
    (LatmShape(name: "two programmes", programs: 2), .unknownAac),
    (LatmShape(name: "two layers", layers: 2), .unknownAac),
    (LatmShape(name: "fixed length", lengthType: 1), .unknownAac),
  ]

  @Test("An unplayable config gives the reason, and a good config clears it", arguments: refused)
  func refusals(shape: LatmShape, codec: RefusedCodec) {
    for interval in [1, 100] {
      var shape = shape
      shape.interval = interval
      let bad = shape.frames(Self.units(8, seed: 2)).flatMap { $0 }
      let units = Self.units(8)
      let good = LatmShape(interval: 3).frames(units).flatMap { $0 }
      for step in [1, .max] {
        var reader = LatmReader()
        #expect(LatmHeard(good, step: step, by: &reader).refusal == nil)
        let heard = LatmHeard(bad, step: step, by: &reader)
        #expect(heard.sound.isEmpty && heard.refusal == codec)
        let again = LatmHeard(good, step: step, by: &reader)
        #expect(again.sound == units.map { LatmShape.adts($0) } && again.refusal == nil)
        // At the start of a stream the second frame confirms the first.
        let alone = LatmHeard(bad, step: step)
        #expect(alone.sound.isEmpty && alone.refusal == codec && alone.isLocked)
      }
    }
  }

  @Test("One frame at the start refuses nothing, as it may be false")
  func loneRefusal() {
    let bad = LatmShape(config: .config(type: 42)).frames(Self.units(2))
    let heard = LatmHeard(bad[0] + [0x56, 0xE0, 0x20] + Build.quiet(100, seed: 7))
    #expect(heard.refusal == nil && !heard.isLocked)
  }

  @Test func frameWithoutAConfigIsSkippedUntilOneComes() {
    let units = Self.units(20)
    let frames = LatmShape(interval: 6).frames(units)
    let heard = LatmHeard(frames[1...].flatMap { $0 })
    #expect(heard.sound == units[6...].map { LatmShape.adts($0) })
    #expect(heard.refusal == nil)
  }

  @Test func configMayChange() {
    let units = Self.units(8)
    let stream =
      LatmShape(interval: 2).frames(units) + LatmShape(config: .config(rate: 7, channels: 1), interval: 3).frames(units)
    let wanted = units.map { LatmShape.adts($0) } + units.map { LatmShape.adts($0, rate: 7, channels: 1) }
    #expect(LatmHeard(stream.flatMap { $0 }, step: 50).sound == wanted)
  }

  @Test func resetDropsWhatIsCutOffAndKeepsTheConfig() {
    let units = Self.units(12, lengths: 100...200)
    let frames = LatmShape(interval: 100).frames(units)
    var reader = LatmReader()
    let first = LatmHeard(frames[..<5].flatMap { $0 } + frames[5].prefix(60), by: &reader)
    #expect(first.sound.count == 5 && first.isLocked)
    reader.reset()
    let locked = reader.isLocked
    #expect(!locked)
    let second = LatmHeard(frames[6...].flatMap { $0 }, by: &reader)
    #expect(second.sound == units[6...].map { LatmShape.adts($0) })
  }

  @Test func aFirstFrameNeedsASuccessor() {
    let units = Self.units(2)
    let frames = LatmShape().frames(units)
    var reader = LatmReader()
    let alone = LatmHeard(frames[0] + frames[1].prefix(1), by: &reader)
    #expect(alone.sound.isEmpty && !alone.isLocked)
    let followed = LatmHeard([frames[1][1]], by: &reader)
    #expect(followed.sound == [LatmShape.adts(units[0])] && followed.isLocked)
    #expect(LatmHeard(Array(frames[1].dropFirst(2)), by: &reader).sound == [LatmShape.adts(units[1])])
  }

  static let sample: [UInt8]? = {
    let root = ProcessInfo.processInfo.environment["BAKELITE_SHARED"] ?? "../shared"
    return FileManager.default.contents(atPath: root + "/corpora/media3/ts/sample_latm.ts").map(Array.init)
  }()

  @Test("A foreign sample becomes frames of its format", .enabled(if: sample != nil, "no corpora here"))
  func sampleComesOut() throws {
    let bytes = try #require(Self.sample)
    var stream: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 188) {
      let packet = bytes[start..<start + 188]
      guard packet[start + 1] & 0x1F == 1, packet[start + 2] == 0 else { continue }
      var place = start + 4
      if packet[start + 3] & 0x20 != 0 { place += 1 + Int(packet[place]) }
      if packet[start + 1] & 0x40 != 0 { place += 9 + Int(packet[place + 8]) }
      stream += packet[place...]
    }
    let heard = LatmHeard(stream, step: 100)
    let framed = Framed(heard.sound.flatMap { $0 })
    #expect(framed.bytes == heard.sound && framed.skipped == 0)
    #expect(framed.packets.count == 5)
    for packet in framed.packets {
      let format = packet.info.format
      #expect(format.codec == .aac && format.sampleRate.hertz == 22_050 && format.channels == 1)
    }
  }
}

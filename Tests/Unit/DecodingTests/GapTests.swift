import Blocks
import DecoderBench
import Decoding
import Testing
import Units

/// Gaps: playback continues as early as possible, with correct samples, and never louder than the programme.
struct GapTests {
  /// A programme that loses four packets, at several places.
  private struct Cut {
    let whole: [DecodedPacket]
    /// For each place: the remaining packets, their output, and the output without the gap.
    let tails: [(packets: [Packet], heard: [DecodedPacket], truth: [DecodedPacket])]

    init(_ programme: Programme) {
      let whole = decodePackets(programme.packets)
      self.whole = whole
      tails = stride(from: 10, to: programme.packets.count - 15, by: 7).map { place in
        var tail = Array(programme.packets[(place + 4)...])
        tail[0].info.followsGap = true
        let heard = decodePackets(programme.packets[..<place] + tail)
        return (tail, Array(heard[place...]), Array(whole[(place + 4)...]))
      }
    }
  }

  // One packet lacks its overlap; the filterbank stores 480 more samples, most of a short packet.
  @Test(
    arguments: [
      ("cbr-44100.mp3", 1), ("vbr-44100.mp3", 1), ("mono-44100.mp3", 1), ("crc-48000.mp3", 1), ("free-44100.mp3", 1),
      ("cbr-22050.mp3", 2), ("cbr-8000.mp3", 2), ("layer2-44100.mp2", 1), ("layer1-44100.mp1", 2),
      ("layer1-crc-44100.mp1", 2),
    ])
  func mpegIsExactAgain(name: String, lacking: Int) throws {
    let cut = Cut(try Programme(name))
    let peak = cut.whole.peak
    for (packets, heard, truth) in cut.tails {
      // libmad alone, started here, shows the length of the bit reservoir.
      let joined = Reference(Programme(packets.flatMap(\.bytes)), .bits24)
      #expect(ExactnessTests.differences(heard, joined).isEmpty)
      let silent = try #require(heard.firstIndex { $0.error == nil })
      #expect(silent <= 4)
      #expect(heard[(silent + lacking)...] == truth[(silent + lacking)...])
      #expect(Double(heard.peak) <= Double(peak) * 1.001)
    }
  }

  @Test(arguments: ["plain-44100.aac", "lc-16000.aac", "lc-mono-16000.aac", "tour-5.1.aac", "tour-7.1.aac"])
  func aacIsExactAfterThePacketThatNothingOverlaps(name: String) throws {
    let cut = Cut(try Programme(name))
    for (_, heard, truth) in cut.tails {
      #expect(heard[0].error == .discardPacket)
      #expect(heard[1...] == truth[1...])
    }
  }

  // Noise substitution and SBR create other noise, with the same power within 1 dB of the loudest packet.
  // libfaad 2.11 needs 0.94 dB. SBR and PS settle within three packets.
  @Test(
    arguments: [
      ("lc-44100.aac", 0), ("lc-mono-44100.aac", 0), ("lc-crc-48000.aac", 0), ("he-44100.aac", 1), ("he2-44100.aac", 3),
    ])
  func aacWithNoiseIsAlikeAndNoLouder(name: String, settling: Int) throws {
    let cut = Cut(try Programme(name))
    let loudest = cut.whole.map(\.power).max() ?? 0
    for (_, heard, truth) in cut.tails {
      #expect(heard[0].error == .discardPacket)
      #expect(heard.dropFirst().allSatisfy { $0.error == nil })
      for (index, (one, other)) in zip(heard, truth).enumerated().dropFirst(1 + settling) {
        #expect(abs(one.power - other.power) < loudest * 0.26, "packet \(index)")
      }
      #expect((heard.map(\.power).max() ?? 0) < loudest * 1.26, "one decibel")
    }
  }
}

/// The output equals the output of the C libraries, called directly: every sample of every packet.
struct ExactnessTests {
  static let mpeg = [
    "cbr-44100.mp3", "vbr-44100.mp3", "mono-44100.mp3", "crc-48000.mp3", "free-44100.mp3", "cbr-22050.mp3",
    "cbr-8000.mp3", "layer2-44100.mp2", "layer1-44100.mp1", "layer1-crc-44100.mp1",
  ]
  static let aac = [
    "lc-44100.aac", "lc-mono-44100.aac", "lc-crc-48000.aac", "lc-22050.aac", "lc-16000.aac", "lc-mono-16000.aac",
    "he-44100.aac",
    "he2-44100.aac", "plain-44100.aac", "tour-5.1.aac",
  ]

  @Test(arguments: mpeg + aac, [SampleDepth.bits16, .bits24])
  func packetsSoundAsTheWholeFile(name: String, depth: SampleDepth) throws {
    let programme = try Programme(name)
    let heard = decodePackets(programme.packets, depth)
    let reference = Reference(programme, depth)
    #expect(reference.frames.count == programme.packets.count)
    #expect(Self.differences(heard, reference).isEmpty)
  }

  /// The packets with wrong output.
  static func differences(_ heard: [DecodedPacket], _ reference: Reference) -> [Int] {
    zip(heard, reference.frames).enumerated().filter { $1.0 != $1.1.heard }.map(\.offset)
  }
}

/// 24 bits rounded to 16 with triangular noise: the error is noise only.
struct DitherTests {
  /// 24-bit samples, and the dithered samples.
  private func both() throws -> (fine: [Int32], dithered: [Int32]) {
    let packets = try Programme("cbr-44100.mp3").packets
    return (decodePackets(packets).flatMap(\.samples), decodePackets(packets, .bits16Dithered).flatMap(\.samples))
  }

  private static let step = 256.0

  @Test func errorIsOneAndAHalfStepsAtMostAndNoneOnAverage() throws {
    let (fine, dithered) = try both()
    let errors = zip(dithered, fine).map { Double($0 - $1) / Self.step }
    #expect(dithered.allSatisfy { $0 & 0xFF == 0 })
    #expect(errors.allSatisfy { abs($0) <= 1.5 })
    #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 0.01)
    // Rounding makes 1/12 of a step squared, triangular noise of two steps twice that.
    let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
    #expect(abs(power - 0.25) < 0.005)
  }

  @Test func errorsOfNeighboursAndSidesAreIndependent() throws {
    let (fine, dithered) = try both()
    let errors = zip(dithered, fine).map { Double($0 - $1) / Self.step }
    // The sample of the other channel, the next of the same channel, and the sample one packet later.
    for distance in [1, 2, 3, 2304] {
      let pairs = zip(errors, errors.dropFirst(distance))
      let correlation = pairs.reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count - distance) / 0.25
      #expect(abs(correlation) < 0.01, "\(distance) samples apart")
    }
  }

  @Test func errorKnowsNothingOfTheSound() throws {
    let (fine, dithered) = try both()
    let errors = zip(dithered, fine).map { Double($0 - $1) / Self.step }
    // Plain rounding leaves an error that depends on the lowest bits. With dither, mean and power are independent of
    // them.
    for part in 0..<4 {
      let some = zip(errors, fine).filter { Int($1 & 0xFF) / 64 == part }.map(\.0)
      let mean: Double = some.reduce(0, +) / Double(some.count)
      let power: Double = some.reduce(0) { $0 + $1 * $1 } / Double(some.count)
      #expect(abs(mean) < 0.02 && abs(power - 0.25) < 0.02)
    }
  }

  @Test func withoutDitherRunsAreTheSameToTheBit() throws {
    let packets = try Programme("vbr-44100.mp3").packets
    #expect(decodePackets(packets, .bits16) == decodePackets(packets, .bits16))
    #expect(decodePackets(packets, .bits16).flatMap(\.samples).allSatisfy { $0 & 0xFF == 0 })
  }
}

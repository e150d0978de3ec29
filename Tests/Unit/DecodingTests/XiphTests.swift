import Blocks
import CEncoders
import DecoderBench
import Decoding
import Testing
import Units

/// Vorbis and Opus play exactly like libvorbis and libopus.
struct XiphTests {
  static let streams: [(name: String, make: @Sendable () -> EncodedStream)] = [
    ("Vorbis mono", { .vorbis(Signal(1, rate: 44_100, frames: 12_000)) }),
    ("Vorbis stereo", { .vorbis(Signal(2, rate: 48_000, frames: 12_000), quality: 0.8) }),
    ("Vorbis 96 kHz", { .vorbis(Signal(2, rate: 96_000, frames: 12_000)) }),
    ("Opus mono", { .opus(Signal(1, rate: 48_000, frames: 12_000)) }),
    ("Opus stereo", { .opus(Signal(2, rate: 48_000, frames: 12_000)) }),
    ("Opus 60 ms", { .opus(Signal(2, rate: 48_000, frames: 12_000), block: 2_880, gain: -1_000) }),
  ]

  /// The library's 24-bit samples, interleaved stereo.
  static func truth(_ stream: EncodedStream, channels: Int) -> [Int32] {
    stream.truth.samples.flatMap { sample in
      let value = Int32(max(-8_388_608, min(8_388_607, (Double(sample) * 8_388_608).rounded())))
      return channels == 1 ? [value, value] : [value]
    }
  }

  @Test(arguments: streams.indices)
  func soundIsTheLibrarys(index: Int) {
    let stream = Self.streams[index].make()
    let channels = Int(stream.packets[0].info.format.channels)
    let truth = Self.truth(stream, channels: channels)
    let heard = stream.hear()
    #expect(heard.map { $0.samples.count / 2 } == stream.truth.counts)
    #expect(heard.samples.count == truth.count && truth.count > 20_000)
    #expect(zip(heard.samples, truth).allSatisfy { abs($0 - $1) <= 1 })
    #expect(heard.peak > 1_000_000)
    let coarse = stream.hear(.bits16).samples
    #expect(zip(coarse, truth).allSatisfy { abs($0 - $1) <= 129 && $0 & 0xFF == 0 })
    let dithered = stream.hear(.bits16Dithered).samples
    #expect(dithered != coarse && zip(dithered, truth).allSatisfy { abs($0 - $1) <= 384 })
  }

  @Test(arguments: streams.indices)
  func piecesMakeAWhole(index: Int) {
    let stream = Self.streams[index].make()
    #expect(stream.hear(step: 50) == stream.hear())
  }

  @Test func vorbisBeginsWithAPacketWithoutSound() {
    let heard = EncodedStream.vorbis(Signal(2, rate: 44_100, frames: 8_000)).hear()
    #expect(heard[0].error == nil && heard[0].samples.isEmpty && heard[1].error == nil && !heard[1].samples.isEmpty)
  }

  @Test func opusIsMultipliedByItsGain() throws {
    let signal = Signal(2, rate: 48_000, frames: 9_600, tone: 0.1, noise: 0)
    let plain = EncodedStream.opus(signal).hear().samples
    for (gain, factor) in [(1_541, 2.0), (-1_541, 0.5)] {
      let loud = EncodedStream.opus(signal, gain: gain).hear().samples
      #expect(zip(loud, plain).allSatisfy { abs(Double($0) - factor * Double($1)) < 2_000 })
    }
  }

  @Test func rateAndChannelsAreTold() {
    let stream = EncodedStream.opus(Signal(1, rate: 48_000, frames: 2_000))
    var decoder = stream.decoder()
    let pcm = decoder.decodeFormat(stream.packets[0])
    #expect(pcm?.rate == SampleRate(48_000) && pcm?.channels == 1 && pcm?.frameCount == 960)
  }
}

/// Streams with many channels: each channel plays alone in turn.
struct ManyChannelsTests {
  private static let (none, half, whole) = (0.0, 0.707, 1.0)
  /// Left and right gain of the front channels, relative to a front channel.
  private static let front = [(whole, none), (none, whole)]
  private static let sides = [(half, none), (none, half)]
  private static let (center, bass) = ([(half, half)], [(none, none)])

  /// Left and right gain of each channel, in WAV and FLAC order, and in Vorbis and Opus order.
  static let wav: [Int: [(Double, Double)]] = [
    3: front + center, 4: front + sides, 5: front + center + sides, 6: front + center + bass + sides,
    7: front + center + bass + center + sides, 8: front + center + bass + sides + sides,
  ]
  static let vorbis: [Int: [(Double, Double)]] = [
    3: [front[0]] + center + [front[1]], 4: front + sides, 5: [front[0]] + center + [front[1]] + sides,
    6: [front[0]] + center + [front[1]] + sides + bass,
    7: [front[0]] + center + [front[1]] + sides + center + bass,
    8: [front[0]] + center + [front[1]] + sides + sides + bass,
  ]

  private static let turn = 7_200

  private func check(_ stream: EncodedStream, _ gains: [(Double, Double)]?, delay: Int = 0) throws {
    let gains = try #require(gains)
    var decoder = stream.decoder()
    let samples = stream.packets.map { decoder.decodePacket($0) }.samples
    let pcm = decoder.decodeFormat(stream.packets[0])
    #expect(pcm?.channels == 2)
    let levels = gains.indices.map { channel in
      let middle = channel * Self.turn + Self.turn / 2 + delay
      let frames = (middle - 1_000)..<(middle + 1_000)
      return (level(frames.map { samples[2 * $0] }), level(frames.map { samples[2 * $0 + 1] }))
    }
    let front = try #require(gains.firstIndex { $0 == (1, 0) }.map { levels[$0].0 })
    #expect(front > 400_000)
    for (channel, (level, gain)) in zip(levels, gains).enumerated() {
      #expect(abs(level.0 / front - gain.0) < 0.03, "channel \(channel)")
      #expect(abs(level.1 / front - gain.1) < 0.03, "channel \(channel)")
    }
  }

  private func level(_ samples: [Int32]) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  @Test(arguments: 3...8)
  func flacIsMixedDown(channels: Int) throws {
    let signal = Signal(tour: channels, rate: 48_000, turn: Self.turn)
    try check(.flac(signal, bits: 16), Self.wav[channels])
  }

  @Test(arguments: [3, 6, 8])
  func vorbisIsMixedDown(channels: Int) throws {
    let signal = Signal(tour: channels, rate: 48_000, turn: Self.turn)
    try check(.vorbis(signal, quality: 0.9), Self.vorbis[channels])
  }

  @Test(arguments: 3...8)
  func opusIsMixedDown(channels: Int) throws {
    let signal = Signal(tour: channels, rate: 48_000, turn: Self.turn)
    try check(.opus(signal, bitsPerSecond: 96_000 * channels), Self.vorbis[channels], delay: 312)
  }

  @Test(arguments: [3, 6, 8])
  func manyOpusChannelsAreMultipliedByTheirGain(channels: Int) throws {
    let signal = Signal(channels, rate: 48_000, frames: 9_600, tone: 0.1, noise: 0)
    let plain = EncodedStream.opus(signal, bitsPerSecond: 96_000 * channels).hear().samples
    #expect(plain.contains { abs($0) > 500_000 })
    for (gain, factor) in [(1_541, 2.0), (-1_541, 0.5)] {
      let loud = EncodedStream.opus(signal, bitsPerSecond: 96_000 * channels, gain: gain).hear().samples
      #expect(zip(loud, plain).allSatisfy { abs(Double($0) - factor * Double($1)) < 2_000 })
    }
  }

  @Test(arguments: [3, 6, 8])
  func wavIsMixedDownByItsOrder(channels: Int) throws {
    let signal = Signal(tour: channels, rate: 48_000, turn: Self.turn)
    try check(Wav(signal, .signed16).stream, Self.wav[channels])
    // Too few positions are ignored.
    try check(Wav(signal, .signed24, mask: 3).stream, Self.wav[channels])
  }

  @Test func wavIsMixedDownByItsMask() throws {
    let signal = Signal(tour: 4, rate: 48_000, turn: Self.turn)
    // Front, bass, back centre.
    try check(Wav(signal, .signed16, mask: 0x10B).stream, Self.front + Self.bass + Self.center)
    // A ceiling speaker is not mixed.
    try check(Wav(signal, .signed16, mask: 0x80_0003 | 1 << 9).stream, Self.front + [(0.707, 0)] + Self.bass)
  }

  /// A mix of 16-bit samples has more than 16 bits.
  @Test func aMixIsRoundedToTheDepth() {
    let stream = EncodedStream.flac(Signal(6, rate: 48_000, frames: 4_096), bits: 16)
    let fine = stream.hear().samples
    #expect(fine.contains { $0 & 0xFF != 0 })
    #expect(stream.hear(.bits16).samples == fine.roundedTo16)
  }
}

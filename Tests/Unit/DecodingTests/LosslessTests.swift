import Blocks
import DecoderBench
import Decoding
import Testing
import Units

/// FLAC, WAV and AIFF are decoded without loss.
struct LosslessTests {
  /// The expected output for samples of `bits`: 24 bits, mono on both channels, stereo unchanged.
  private func stereo(_ samples: [Int32], _ channels: Int, bits: Int) -> [Int32] {
    let wide = samples.map { $0 << Int32(24 - bits) }
    return channels == 1 ? wide.flatMap { [$0, $0] } : wide
  }

  @Test(
    arguments: [
      (1, 44_100, 16), (2, 44_100, 16), (2, 48_000, 16), (1, 48_000, 24), (2, 44_100, 24), (2, 96_000, 24),
      (2, 48_000, 12), (1, 8_000, 8),
    ])
  func flacIsExact(channels: Int, rate: Int, bits: Int) {
    let signal = Signal(channels, rate: rate, frames: 10_000)
    let stream = EncodedStream.flac(signal, bits: bits)
    let heard = stream.hear()
    #expect(heard.samples == stereo(signal.integers(bits), channels, bits: bits))
    #expect(heard.map { $0.samples.count / 2 } == [4_096, 4_096, 1_808])
    #expect(heard.allSatisfy { $0.rate == SampleRate(Int32(rate)) })
  }

  @Test func samplesOf16BitsAreTheSameAtEveryDepth() {
    let signal = Signal(2, rate: 44_100, frames: 9_000)
    let samples = stereo(signal.integers(16), 2, bits: 16)
    for depth in [SampleDepth.bits16, .bits16Dithered, .bits24] {
      #expect(EncodedStream.flac(signal, bits: 16).hear(depth).samples == samples)
      #expect(Wav(signal, .signed16).stream.hear(depth).samples == samples)
    }
  }

  @Test func finerSamplesAreRoundedOrDithered() {
    let signal = Signal(2, rate: 48_000, frames: 5_000)
    let samples = stereo(signal.integers(24), 2, bits: 24)
    for stream in [EncodedStream.flac(signal, bits: 24), Wav(signal, .signed24).stream] {
      #expect(stream.hear(.bits16).samples == samples.roundedTo16)
      let dithered = stream.hear(.bits16Dithered).samples
      let errors = zip(dithered, samples).map { Double($0 - $1) / 256 }
      #expect(dithered.allSatisfy { $0 & 0xFF == 0 } && errors.allSatisfy { abs($0) <= 1.5 })
      #expect(errors.contains { abs($0) > 0.6 })
    }
  }

  /// A frame of noise at 96,000 Hz and 24 bits needs more than six blocks of the ring.
  @Test(arguments: [5_032, 1_000, 20_000])
  func longFramesComeInPieces(step: Int) {
    let signal = Signal(2, rate: 96_000, frames: 12_288, noise: 0.5)
    let stream = EncodedStream.flac(signal, bits: 24, block: 6_144)
    #expect(stream.packets.allSatisfy { $0.bytes.count > 30_000 })
    #expect(stream.hear(step: step).samples == stereo(signal.integers(24), 2, bits: 24))
  }

  @Test(arguments: [25, 28, 32])
  func finerFlacIsRounded(bits: Int) {
    let signal = Signal(2, rate: 48_000, frames: 5_000)
    let heard = EncodedStream.flac(signal, bits: bits).hear().samples
    let wanted = signal.integers(bits).map { Double($0) / Double(1 << (bits - 24)) }
    #expect(heard.count == wanted.count)
    #expect(zip(heard, wanted).allSatisfy { abs(Double($0) - $1) <= 1 })
  }

  @Test func thirtyTwoBitsAreRounded() {
    let signal = Signal(1, rate: 48_000, frames: 2_000)
    let heard = Wav(signal, .signed32).stream.hear().samples
    let wanted = signal.samples.flatMap { sample in
      let value = Int32((Double(sample) * 8_388_608).rounded(.toNearestOrAwayFromZero))
      return [value, value]
    }
    #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) <= 1 } && heard.count == wanted.count)
    // The maximum cannot be rounded up.
    let edges: [Int32] = [.max, .min, 127, 128, -128, -129]
    let bytes = edges.flatMap { sample in (0..<4).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) } }
    let stream = EncodedStream.pcm(Wav.format(1, 1, 48_000, 32), bytes, frameByteCount: 4, rate: 48_000)
    #expect(stream.hear().samples == [8_388_607, -8_388_608, 0, 1, 0, -1].flatMap { [$0, $0] })
  }

  @Test func floatsAreRoundedClippedAndNeverNoNumber() {
    let samples: [Float] = [0, 0.5, -0.5, 1, -1, 1e30, -.infinity, .nan, 0.25 / 8_388_608, 0.75 / 8_388_608]
    let bytes = samples.flatMap { sample in
      (0..<4).map { UInt8(truncatingIfNeeded: sample.bitPattern >> UInt32(8 * $0)) }
    }
    let stream = EncodedStream.pcm(Wav.format(3, 1, 44_100, 32), bytes, frameByteCount: 4, rate: 44_100)
    let wanted: [Int32] = [0, 4_194_304, -4_194_304, 8_388_607, -8_388_608, 8_388_607, -8_388_608, 0, 0, 1]
    #expect(stream.hear().samples == wanted.flatMap { [$0, $0] })
  }

  @Test func eightBitsHaveTheirMiddleAt128() {
    let stream = EncodedStream.pcm(Wav.format(1, 2, 8_000, 8), [128, 0, 255, 129], frameByteCount: 2, rate: 8_000)
    #expect(stream.hear(.bits16Dithered).samples == [0, -128 << 16, 127 << 16, 1 << 16])
  }

  /// Equal samples in WAV and AIFF become equal PCM. Only WAV has 8-bit samples without a sign.
  @Test(arguments: [8, 16, 24, 32], [1, 2, 6])
  func aiffEqualsWav(bits: Int, channels: Int) {
    let samples = Signal(channels, rate: 44_100, frames: 3_000).integers(min(bits, 31))
    let count = bits / 8
    let little = samples.map { sample in (0..<count).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) } }
    let wav = bits == 8 ? little.map { [$0[0] ^ 0x80] } : little
    func stream(_ setup: [UInt8], _ samples: [[UInt8]]) -> EncodedStream {
      .pcm(setup, samples.flatMap { $0 }, frameByteCount: count * channels, rate: 44_100)
    }
    let forms = [
      stream(Aiff.common(channels, bits), little.map { $0.reversed() }),
      stream(Aiff.common(channels, bits, "twos"), little.map { $0.reversed() }),
      stream(Aiff.common(channels, bits, "sowt"), little),
    ]
    for depth in [SampleDepth.bits16, .bits16Dithered, .bits24] {
      let heard = stream(Wav.format(1, channels, 44_100, bits), wav).hear(depth).samples
      #expect(heard.count == 6_000 && Set(heard).count > 50)
      for form in forms { #expect(form.hear(depth).samples == heard) }
    }
  }

  @Test func bigEndianFloatsAreRoundedClippedAndNeverNoNumber() {
    let samples: [Double] = [0, 0.5, -0.5, 1, -1, 1e30, -.infinity, .nan, 0.25 / 8_388_608, 0.75 / 8_388_608]
    let wanted: [Int32] = [0, 4_194_304, -4_194_304, 8_388_607, -8_388_608, 8_388_607, -8_388_608, 0, 0, 1]
    func check(_ type: String, _ bits: Int, _ pattern: (Double) -> UInt64) {
      let bytes = samples.flatMap { sample in
        (0..<bits / 8).reversed().map { UInt8(truncatingIfNeeded: pattern(sample) >> UInt64(8 * $0)) }
      }
      let stream = EncodedStream.pcm(Aiff.common(1, bits, type), bytes, frameByteCount: bits / 8, rate: 44_100)
      #expect(stream.hear().samples == wanted.flatMap { [$0, $0] })
    }
    check("fl32", 32) { UInt64(Float($0).bitPattern) }
    check("fl64", 64) { $0.bitPattern }
  }

  /// A partial frame at a packet's end is omitted; a packet without a whole frame is discarded.
  @Test func onlyWholeFramesAreTaken() {
    let bytes = [UInt8](repeating: 1, count: 11)
    let stream = EncodedStream.pcm(Wav.format(1, 2, 8_000, 16), bytes, frameByteCount: 4, rate: 8_000, block: 2)
    #expect(stream.hear().map(\.samples.count) == [4, 0])
    #expect(stream.hear().last?.error == .discardPacket)
  }
}

struct Wav {
  let stream: EncodedStream

  init(_ signal: Signal, _ encoding: PcmLayout.Encoding, mask: UInt32? = nil) {
    let byteCount = encoding == .signed16 ? 2 : encoding == .signed24 ? 3 : 4
    let bits = encoding == .signed32 ? 31 : 8 * byteCount
    let bytes = signal.integers(bits).flatMap { sample in
      let wide = encoding == .signed32 ? sample << 1 : sample
      return (0..<byteCount).map { UInt8(truncatingIfNeeded: wide >> Int32(8 * $0)) }
    }
    stream = .pcm(
      Self.format(1, signal.channels, signal.rate, 8 * byteCount, mask: mask), bytes,
      frameByteCount: byteCount * signal.channels, rate: signal.rate)
  }

  /// The content of a `fmt ` chunk; extensible if it has a mask.
  static func format(_ tag: Int, _ channels: Int, _ rate: Int, _ bits: Int, mask: UInt32? = nil) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let frame = channels * (bits / 8)
    let head = number(mask == nil ? tag : 0xFFFE, 2) + number(channels, 2) + number(rate, 4) + number(rate * frame, 4)
    let plain = head + number(frame, 2) + number(bits, 2)
    guard let mask else { return plain }
    return plain + number(22, 2) + number(bits, 2) + number(Int(mask), 4) + number(tag, 2)
      + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
  }
}

enum Aiff {
  /// A COMM chunk at 44,100 Hz, after its name.
  static func common(_ channels: Int, _ bits: Int, _ type: String = "") -> [UInt8] {
    Array("COMM".utf8) + [0, UInt8(channels), 0, 0, 0, 0, 0, UInt8(bits), 0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
      + Array(type.utf8)
  }
}

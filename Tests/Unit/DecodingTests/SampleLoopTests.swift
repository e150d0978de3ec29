import DecoderBench
import SeededRandom
import Testing

@testable import Decoding

/// Loops over several samples at once give the same PCM as one sample at a time, bit by bit.
struct SampleLoopTests {
  private static let depths = [SampleDepth.bits16, .bits16Dithered, .bits24]

  /// Numbers near each limit, halves of a step, and numbers of all magnitudes; some are not finite.
  private static let floats: [Float] = {
    let full: Float = 8_388_608
    let edges: [Float] = [
      0, -0.0, 1, -1, .nan, -.nan, .infinity, -.infinity, 1e30, -1e30, .leastNonzeroMagnitude, 8_388_607 / full,
      8_388_480 / full, 8_388_479 / full, 8_388_478.5 / full, -8_388_607.5 / full, 127.5 / full, 128.5 / full,
      -128.5 / full, -127.5 / full, 0.5 / full, 1.5 / full, -0.5 / full, -1.5 / full, 383.5 / full,
    ]
    var random = SeededGenerator(31)
    let any = (0..<2_000).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }
    let usual = (0..<2_000).map { _ in Float(random.next() >> 40) / full - 1 }
    return edges + any + usual
  }()

  /// Converts one sample by the rules: to nearest, ties to even, clipped to 24 bits; not-a-number is silence.
  private func integer(_ sample: Float) -> Int32 {
    guard !sample.isNaN else { return 0 }
    return Int32(max(-8_388_608, min(8_388_607, (Double(sample) * 8_388_608).rounded(.toNearestOrEven))))
  }

  /// Rounds as `PacketDecoder` does at this depth, one frame at a time.
  private func rounded(_ samples: [Int32], _ depth: SampleDepth) -> [Int32] {
    var (samples, rounding) = (samples, DepthRounding(depth))
    samples.withUnsafeMutableBufferPointer { all in
      for frame in 0..<all.count / 2 { all.baseAddress.map { rounding.round($0 + 2 * frame, count: 1, isFine: true) } }
    }
    return samples
  }

  /// Returns what `write` stores in the room of `count` frames; checks that it leaves the next sample.
  private func frames(_ count: Int, _ write: (UnsafeMutablePointer<Int32>) -> Void) -> [Int32] {
    var out = [Int32](repeating: 77, count: 2 * count + 1)
    out.withUnsafeMutableBufferPointer { all in all.baseAddress.map(write) }
    #expect(out.last == 77)
    return out.dropLast()
  }

  @Test(arguments: depths, [0, 1, 2, 3, 4, 5, 7, 8, 9, 1_151, 2_001])
  func floatsAreConvertedAlike(depth: SampleDepth, count: Int) {
    for offset in [0, 1, 3] {
      let row = Array(Self.floats.dropFirst(offset))
      let (left, right) = (Array(row.prefix(count)), Array(row.reversed().prefix(count)))
      var (one, two, three) = (DepthRounding(depth), DepthRounding(depth), DepthRounding(depth))
      let pairs = Array(row.prefix(2 * count))
      #expect(
        frames(count) { one.round(interleaved: pairs, count: count, to: $0) } == rounded(pairs.map(integer), depth))
      let stereo = zip(left, right).flatMap { [integer($0), integer($1)] }
      #expect(frames(count) { two.round(left, right, count: count, to: $0) } == rounded(stereo, depth))
      let mono = left.flatMap { [integer($0), integer($0)] }
      #expect(frames(count) { three.round(left, left, count: count, to: $0) } == rounded(mono, depth))
    }
  }

  @Test(arguments: [4, 8, 12, 16, 20, 24], [0, 1, 3, 4, 6, 4_095])
  func integersAreConvertedAlike(bits: Int, count: Int) {
    var random = SeededGenerator(32)
    // A damaged frame may have samples outside its range.
    let full: Int32 = 1 << Int32(bits - 1)
    let row =
      [full, full - 1, -full, -full - 1, .max, .min]
      + (0..<2 * count).map { _ in
        Int32(truncatingIfNeeded: random.next()) >> Int32(31 - bits)
      }
    let (left, right) = (Array(row.prefix(count)), Array(row.suffix(count)))
    let wanted = zip(left, right).flatMap { pair in
      [pair.0, pair.1].map { max(-full, min(full - 1, $0)) << Int32(24 - bits) }
    }
    #expect(frames(count) { SampleScale.interleave(left, right, count: count, bits: bits, to: $0) } == wanted)
  }

  @Test(arguments: depths)
  func wholeRangeOf24BitsIsRounded(depth: SampleDepth) {
    let samples =
      Array(stride(from: Int32(-8_388_608), through: 8_388_607, by: 61)) + [8_388_478, 8_388_479, 8_388_480]
    var rounding = DepthRounding(depth)
    let count = samples.count / 2
    let heard = frames(count) { out in
      out.update(from: samples, count: 2 * count)
      rounding.round(out, count: count, isFine: true)
    }
    #expect(heard == rounded(Array(samples.prefix(2 * count)), depth))
    guard depth == .bits16 else { return }
    #expect(heard == samples.prefix(2 * count).map { max(-32_768, min(32_767, ($0 + 128) >> 8)) << 8 })
  }

  @Test(arguments: ["cbr-44100.mp3", "mono-44100.mp3"])
  func libmadsSamplesAreRoundedTwice(name: String) throws {
    let packets = try Programme(name).packets
    let fine = decodePackets(packets, .bits24)
    #expect(decodePackets(packets, .bits16).map(\.samples) == fine.map { rounded($0.samples, .bits16) })
  }

  /// Packets of odd lengths, and frames from the middle of a packet.
  @Test(arguments: [1, 2, 6], [8, 16, 24, 32])
  func flacIsExactAtEachLength(channels: Int, bits: Int) {
    for block in [17, 1_151, 4_095] {
      let signal = Signal(channels, rate: 48_000, frames: 9_001)
      let stream = EncodedStream.flac(signal, bits: bits, block: block)
      let heard = stream.hear().samples
      #expect(heard.count == 2 * 9_001 && stream.hear(step: 13).samples == heard)
      #expect(stream.hear(.bits16).samples == (bits > 16 || channels > 2 ? rounded(heard, .bits16) : heard))
      guard channels <= 2, bits <= 24 else { continue }
      let exact = signal.integers(bits).map { $0 << Int32(24 - bits) }
      #expect(heard == (channels == 1 ? exact.flatMap { [$0, $0] } : exact))
    }
  }

  @Test(arguments: [1, 2, 6])
  func vorbisAndOpusAreExact(channels: Int) {
    let streams = [
      EncodedStream.vorbis(Signal(channels, rate: 44_100, frames: 9_001)),
      EncodedStream.opus(Signal(channels, rate: 48_000, frames: 9_001)),
    ]
    for stream in streams {
      let heard = stream.hear()
      #expect(stream.hear(step: 13) == heard)
      for depth in Self.depths { #expect(stream.hear(depth).samples == rounded(heard.samples, depth)) }
      guard channels <= 2 else { continue }
      let truth = stream.truth.samples.map(integer)
      #expect(heard.samples == (channels == 1 ? truth.flatMap { [$0, $0] } : truth))
    }
  }
}

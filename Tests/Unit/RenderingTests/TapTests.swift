import Blocks
import Rendering
import Testing
import Units

/// External code that reads and changes audio before output (R9.1).
@Suite struct TapTests {
  final class Seen {
    var samples: [Int32] = []
    var longest = 0

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let note: Tap.Process = { context, samples, count in
      guard let context, let samples else { return }
      let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
      seen.samples += Array(UnsafeBufferPointer(start: samples, count: count * 2))
      seen.longest = max(seen.longest, count)
    }
  }

  static let treble = Tap { _, samples, count in
    guard let samples else { return }
    for index in 0..<(count * 2) { samples[index] = samples[index] &* 3 }
  }

  static let exchange = Tap { _, samples, count in
    guard let samples else { return }
    for left in stride(from: 0, to: count * 2, by: 2) {
      (samples[left], samples[left + 1]) = (samples[left + 1], samples[left])
    }
  }

  @Test func whatATapSeesIsWhatIsHeard() throws {
    let seen = Seen()
    let bench = try RenderBench(taps: [Tap(Seen.note, context: seen.context)])
    let sound = [Int32].noise(3_000)
    for start in stride(from: 0, to: sound.count, by: 2_000) { bench.write(Array(sound[start..<start + 2_000])) }
    var heard: [Int32] = []
    while heard.count < sound.count { heard += bench.render(441).samples }
    #expect(heard == sound)
    #expect(seen.samples == sound)
    #expect(seen.longest <= TapFormat(rate: .cd).maxFrames)
  }

  @Test("Each tap gets the previous one's output; then the volume applies")
  func order() throws {
    let seen = Seen()
    let bench = try RenderBench(taps: [Self.treble, Tap(Seen.note, context: seen.context), Self.exchange])
    bench.setGain(0.5)
    bench.write(.level(1_000, 1_000))
    let heard = bench.render(1_000).samples
    #expect(seen.samples == .level(3_000, 1_000))
    #expect(heard == .level(-1_500, 1_000))
  }

  @Test func whatIsTooLoudIsCut() throws {
    let bench = try RenderBench(taps: [Self.treble])
    bench.write(.level(8_000_000, 100))
    #expect(bench.render(100).samples.left == Array(repeating: 8_388_607, count: 100))
  }

  @Test("A pause fades the taps' output")
  func pause() throws {
    let bench = try RenderBench(taps: [Self.treble])
    for _ in 0..<3 { bench.write(.level(1_000_000, 1_000)) }
    _ = bench.render(100)
    bench.pause(true)
    let fall = bench.render(1_000).samples.left
    #expect(fall.falls && fall.contains(0) && (fall.first ?? 0) > 2_900_000)
  }
}

struct SampleConversionTests {
  /// 24-bit samples and their bytes in each format.
  static let table: [(Int32, SampleFormat, [UInt8])] = [
    (0, .s16le, [0, 0]), (0x12_3400, .s16le, [0x34, 0x12]), (-256, .s16le, [0xFF, 0xFF]),
    // Rounded to the nearest value, halves up.
    (0x12_347F, .s16le, [0x34, 0x12]), (0x12_3480, .s16le, [0x35, 0x12]), (-128, .s16le, [0, 0]),
    (-129, .s16le, [0xFF, 0xFF]),
    // Clipped if rounding would overflow.
    (8_388_607, .s16le, [0xFF, 0x7F]), (0x7F_FF80, .s16le, [0xFF, 0x7F]), (-8_388_608, .s16le, [0x00, 0x80]),
    (0x12_3456, .s24le, [0x56, 0x34, 0x12]), (-1, .s24le, [0xFF, 0xFF, 0xFF]),
    (-8_388_608, .s24le, [0x00, 0x00, 0x80]), (8_388_607, .s24le, [0xFF, 0xFF, 0x7F]),
    (0x12_3456, .s24in32le, [0x56, 0x34, 0x12, 0x00]), (-2, .s24in32le, [0xFE, 0xFF, 0xFF, 0xFF]),
    (0x12_3456, .s32le, [0x00, 0x56, 0x34, 0x12]), (-1, .s32le, [0x00, 0xFF, 0xFF, 0xFF]),
    (-8_388_608, .s32le, [0x00, 0x00, 0x00, 0x80]), (8_388_607, .s32le, [0x00, 0xFF, 0xFF, 0x7F]),
  ]

  @Test("A sample becomes these bytes", arguments: table)
  func bytes(_ sample: Int32, _ format: SampleFormat, _ expected: [UInt8]) {
    #expect(format.byteCount() == expected.count)
    #expect(convert([sample, 0], to: format, channels: 2) == expected + [UInt8](repeating: 0, count: expected.count))
    #expect(convert([sample, sample], to: format, channels: 1) == expected)
  }

  @Test(
    "One channel is the mean of two",
    arguments: [
      (100 << 8, 200 << 8, 150), (-100 << 8, 100 << 8, 0), (8_388_607, 8_388_607, 32_767),
      (-8_388_608, -8_388_608, -32_768),
      (256, 0, 1), (-256, 0, 0),
    ] as [(Int32, Int32, Int16)])
  func mono(_ left: Int32, _ right: Int32, _ expected: Int16) {
    let bytes = convert([left, right], to: .s16le, channels: 1)
    #expect(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8) == expected)
  }

  @Test("Frames keep their order", arguments: SampleFormat.allCases, [1, 2])
  func order(_ format: SampleFormat, _ channels: Int) {
    let frames = (Int32(0)..<1_000).flatMap { [$0 << 8, (channels == 1 ? $0 : -$0) << 8] }
    let bytes = convert(frames, to: format, channels: channels)
    let single = stride(from: 0, to: frames.count, by: 2).flatMap {
      convert(Array(frames[$0..<($0 + 2)]), to: format, channels: channels)
    }
    #expect(bytes.count == 1_000 * channels * format.byteCount())
    #expect(bytes == single)
  }

  @Test func decodersRoundToWhatSounds() {
    #expect(SampleFormat.allCases.map(\.depth) == [16, 24, 24, 24])
  }

  /// Converts frames and checks that no byte after the end is written.
  private func convert(_ frames: [Int32], to format: SampleFormat, channels: Int) -> [UInt8] {
    let count = frames.count / 2 * channels * format.byteCount()
    var out = [UInt8](repeating: 0xA5, count: count + 8)
    out.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      SampleConversion.convert(frames, count: frames.count / 2, to: format, channels: channels, start)
    }
    #expect(out.suffix(8).allSatisfy { $0 == 0xA5 })
    return Array(out[..<count])
  }
}

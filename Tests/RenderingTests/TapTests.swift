import Blocks
import Rendering
import Testing
import Units

/// Code of others that sees, and changes, sound before it is heard (R9.1).
@Suite struct TapTests {
  /// What a tap saw.
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

  /// Makes everything three times as loud.
  static let treble = Tap { _, samples, count in
    guard let samples else { return }
    for index in 0..<(count * 2) { samples[index] = samples[index] &* 3 }
  }

  /// Exchanges left and right.
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

  @Test("Each sees what the one before it made; then comes the volume")
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

  @Test("The fall of a pause is of the sound that the taps made")
  func pause() throws {
    let bench = try RenderBench(taps: [Self.treble])
    for _ in 0..<3 { bench.write(.level(1_000_000, 1_000)) }
    _ = bench.render(100)
    bench.pause(true)
    let fall = bench.render(1_000).samples.left
    #expect(fall.falls && fall.contains(0) && (fall.first ?? 0) > 2_900_000)
  }
}

import Blocks
import Decoding
import Glibc
import Metering
import Rendering
import Units

/// Renders noise at 44.1 kHz through one stage. `taps.py` counts the instructions.
@main
enum TapBench {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 3, let seconds = Int(words[2]), let stage = Stage(rawValue: words[1]) else {
      print(Stage.allCases.map(\.rawValue).joined(separator: "\n"))
      return
    }
    var bench = Bench(stage, in: try Arena(ByteCount.kibi(1_024)))
    bench.render(seconds)
  }

  /// The enabled feature.
  enum Stage: String, CaseIterable {
    case nothing, steer, gain, mono, tap, copy, level, spectrum
  }

  /// A renderer with its ring and the consumers of its audio.
  struct Bench: ~Copyable {
    private let stage: Stage
    private let arena: Arena
    private let board: UnsafePointer<StatusBoard>
    private let monitor: UnsafePointer<MonitorRing>
    private var writer: PeriodWriter
    private var renderer: Renderer
    private var meter = LevelMeter()
    /// Start of the next period.
    private var time = StreamTime.zero
    private var interpolator = Interpolator(.bits24)
    private let spectrum = Spectrum(bands: SpectrumBands(count: 20, rate: .cd))

    init(_ stage: Stage, in arena: Arena) {
      let board = StatusBoard.make(in: arena)
      let monitor = MonitorRing.make(in: arena)
      let ring = PeriodRing.make(in: arena)
      writer = PeriodWriter(ring)
      renderer = Renderer(ring, board, taps: TapChain(stage == .tap ? [Tap(softer)] : [], in: arena))
      renderer.setRate(.cd)
      board.pointee.wantedEpoch.store(1, ordering: .releasing)
      if stage == .steer { interpolator.steer(to: ClockRatio(1.0005)) }
      if stage == .gain { board.pointee.gain.store(1 << 23, ordering: .relaxed) }
      monitor.pointee.want(stage == .copy || stage == .level || stage == .spectrum)
      self.stage = stage
      self.arena = arena
      self.board = board
      self.monitor = monitor
    }

    /// Renders periods of 20 ms. A consumer reads eleven times per second.
    mutating func render(_ seconds: Int) {
      let (size, looks) = (882, 11)
      let out = UnsafeMutablePointer<Int32>.allocate(capacity: size * 2)
      let frames = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 4_800)
      defer {
        out.deallocate()
        frames.deallocate()
      }
      for round in 0..<(seconds * 50) {
        for index in 0..<(size * 2) { writer.room[index] = Int32(truncatingIfNeeded: index &* 2_654_435_761) >> 8 }
        if stage == .mono { MonoMix.apply(writer.room, count: size) }
        if stage == .steer, interpolator.consume(writer.room, count: size) {
          while case let count = interpolator.next(writer.room), count > 0 { commit(count) }
        } else {
          commit(size)
        }
        let rendered = renderer.render(into: out, count: size)
        monitor.pointee.put(out, rendered.frameCount)
        guard round * looks / 50 != (round + 1) * looks / 50, stage == .level || stage == .spectrum else { continue }
        let seen = UnsafeBufferPointer(rebasing: frames[..<monitor.pointee.read(into: frames, since: 0, delay: 0)])
        if stage == .level { meter.measure(seen, at: MonotonicTime(seconds: time.seconds)) }
        if stage == .spectrum { precondition(spectrum.levels(seen).count == 20, "a spectrum has its bands") }
      }
    }

    /// Commits the frames in the ring's buffer.
    private mutating func commit(_ count: Int) {
      var period = Period()
      (period.frameCount, period.epoch, period.rate) = (Int32(count), 1, .cd)
      (period.start, period.duration) = (time, StreamTime(frames: FrameCount(count), at: .cd))
      time += period.duration
      writer.commit(period)
    }
  }
}

@_noLocks @_noAllocation
private func softer(_ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Int32>?, _ frames: Int) {
  guard let samples else { return }
  for index in 0..<(2 &* frames) { samples[index] = samples[index] / 2 }
}

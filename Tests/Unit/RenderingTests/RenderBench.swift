import Blocks
import Rendering
import Testing
import Units

/// A renderer and its period ring, without a thread.
final class RenderBench {
  let board: UnsafePointer<StatusBoard>
  private let arena: Arena
  private var writer: PeriodWriter
  private var renderer: Renderer
  private var time = StreamTime.zero

  init(rate: SampleRate = .cd, epoch: UInt32 = 1, taps: [Tap] = []) throws {
    arena = try Arena(.kibi(512))
    board = StatusBoard.make(in: arena)
    let ring = PeriodRing.make(in: arena)
    writer = PeriodWriter(ring)
    renderer = Renderer(ring, board, taps: TapChain(taps, in: arena))
    renderer.setRate(rate)
    want(epoch)
  }

  func want(_ epoch: UInt32) { board.pointee.wantedEpoch.store(epoch, ordering: .releasing) }
  func pause(_ isPaused: Bool) { board.pointee.isPaused.store(isPaused, ordering: .releasing) }
  func seek(_ number: UInt32) { board.pointee.wantedSeek.store(number, ordering: .releasing) }
  /// Marks the first period after a seek as written.
  func ready(_ number: UInt32) { board.pointee.readySeek.store(number, ordering: .releasing) }
  func limit(_ time: StreamTime) { board.pointee.limit.store(time.ticks, ordering: .relaxed) }
  func setGain(_ gain: Double) { board.pointee.gain.store(Int32(gain * 0x1p24), ordering: .relaxed) }
  func setRate(_ rate: SampleRate) { renderer.setRate(rate) }
  /// Simulates a sink that lost its buffer. Returns the frames to repeat.
  func tear(_ frames: [Int32] = []) -> [Int32] {
    var frames = frames
    frames.withUnsafeMutableBufferPointer {
      if let start = $0.baseAddress { renderer.tear(start, count: $0.count / 2) }
    }
    return frames
  }

  var isSounding: Bool { renderer.isSounding }
  var hasPeriod: Bool { renderer.hasPeriod() }
  var epoch: UInt32 { renderer.epoch }
  var seek: UInt32 { renderer.seek }
  var position: StreamTime { renderer.position }
  var played: StreamTime { renderer.played }
  var byteOffset: Int { board.pointee.byteOffset.load(ordering: .relaxed) }

  func write(
    _ samples: [Int32], epoch: UInt32 = 1, seek: UInt32 = 0, rate: SampleRate = .cd, flags: Period.Flags = [],
    byteOffset: Int = 0
  ) {
    var period = Period()
    period.frameCount = Int32(samples.count / 2)
    period.epoch = epoch
    period.seek = seek
    period.rate = rate
    period.flags = flags
    period.byteOffset = byteOffset
    period.start = time
    period.duration = StreamTime(frames: FrameCount(samples.count / 2), at: rate)
    time += period.duration
    for (index, sample) in samples.enumerated() { writer.room[index] = sample }
    writer.commit(period)
  }

  func render(_ count: Int) -> (samples: [Int32], stop: RenderStop) {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * 2) { out in
      guard let start = out.baseAddress else { return ([], .full) }
      let rendered = renderer.render(into: start, count: count)
      return (Array(out[..<(rendered.frameCount * 2)]), rendered.stop)
    }
  }

  /// Renders the fade-out to silence.
  func renderFall(_ count: Int) -> [Int32] {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * 2) { out in
      out.baseAddress.map { renderer.renderFall(into: $0, count: count) }
      return Array(out)
    }
  }
}

extension [Int32] {
  /// Frames in which adjacent samples differ, also between the channels.
  static func noise(_ frames: Int, seed: Int = 0) -> [Int32] {
    (0..<(frames * 2)).map { Int32(truncatingIfNeeded: ($0 + seed) &* 2_654_435_761) >> 8 }
  }

  /// Frames of a constant level; the right channel is the negated left one.
  static func level(_ level: Int32, _ frames: Int) -> [Int32] {
    (0..<(frames * 2)).map { $0 % 2 == 0 ? level : -level }
  }

  var left: [Int32] { stride(from: 0, to: count, by: 2).map { self[$0] } }
  var right: [Int32] { stride(from: 1, to: count, by: 2).map { self[$0] } }

  /// True if no sample exceeds the previous one.
  var falls: Bool { zip(self, dropFirst()).allSatisfy { $0 >= $1 } }
  /// Maximum step between adjacent samples.
  var steepest: Int32 { zip(self, dropFirst()).map { abs($1 - $0) }.max() ?? 0 }
  /// True if no sample is below the previous one.
  var rises: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}

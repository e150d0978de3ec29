import Blocks
import Rendering
import Testing
import Units

/// A renderer with the ring that it plays, without a thread.
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
  /// The first period after a seek is in the ring.
  func ready(_ number: UInt32) { board.pointee.readySeek.store(number, ordering: .releasing) }
  func limit(_ time: StreamTime) { board.pointee.limit.store(time.ticks, ordering: .relaxed) }
  func setGain(_ gain: Double) { board.pointee.gain.store(Int32(gain * 0x1p24), ordering: .relaxed) }
  func setRate(_ rate: SampleRate) { renderer.setRate(rate) }
  /// The sink loses what it held; the frames that it is given again.
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

  /// Writes one period.
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

  /// Renders up to `count` frames.
  func render(_ count: Int) -> (samples: [Int32], stop: RenderStop) {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * 2) { out in
      guard let start = out.baseAddress else { return ([], .full) }
      let rendered = renderer.render(into: start, count: count)
      return (Array(out[..<(rendered.frameCount * 2)]), rendered.stop)
    }
  }

  /// Renders the way down to silence.
  func renderFall(_ count: Int) -> [Int32] {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count * 2) { out in
      out.baseAddress.map { renderer.renderFall(into: $0, count: count) }
      return Array(out)
    }
  }
}

extension [Int32] {
  /// Frames of two different samples, none like the next.
  static func noise(_ frames: Int, seed: Int = 0) -> [Int32] {
    (0..<(frames * 2)).map { Int32(truncatingIfNeeded: ($0 + seed) &* 2_654_435_761) >> 8 }
  }

  /// Frames of one level, the right the left's negative.
  static func level(_ level: Int32, _ frames: Int) -> [Int32] {
    (0..<(frames * 2)).map { $0 % 2 == 0 ? level : -level }
  }

  var left: [Int32] { stride(from: 0, to: count, by: 2).map { self[$0] } }
  var right: [Int32] { stride(from: 1, to: count, by: 2).map { self[$0] } }

  /// Whether no sample is above the one before.
  var falls: Bool { zip(self, dropFirst()).allSatisfy { $0 >= $1 } }
  /// The greatest step from one sample to the next.
  var steepest: Int32 { zip(self, dropFirst()).map { abs($1 - $0) }.max() ?? 0 }
  /// Whether no sample is below the one before.
  var rises: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}

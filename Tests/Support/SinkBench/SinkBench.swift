import AudioOutput
import Blocks
import CLinux
import System
import Units

/// A render thread with a sink, fed by the test's thread as the decode thread would feed it.
///
/// The test's thread is the control thread as well: it sets the sink anew whenever the render thread asks for it.
public final class SinkBench {
  /// The sink and its thread.
  public let thread: RenderThread
  /// What the threads tell each other.
  public let board: UnsafePointer<StatusBoard>
  /// Whether a format that the render thread asks for is set at once.
  public var setsFormats = true
  private let arena: Arena
  private var writer: PeriodWriter
  private var time = StreamTime.zero

  /// A bench with the sink that is asked for; its thread runs, or waits for `thread.run()`.
  public init(_ request: OutputRequest, isRunning: Bool = true) throws {
    arena = try Arena(ByteCount.kibi(1_024))
    board = StatusBoard.make(in: arena)
    let ring = PeriodRing.make(in: arena)
    writer = PeriodWriter(ring)
    thread = try RenderThread(request, ring, board, clock: .machine, in: arena)
    try thread.start()
    if isRunning { thread.run() }
  }

  /// Orders another programme to be heard; its time line begins.
  public func tune(to epoch: UInt32) {
    time = .zero
    board.pointee.wantedEpoch.store(epoch, ordering: .releasing)
  }

  /// Feeds interleaved stereo samples in periods, waiting for room; false where none came in ten seconds.
  ///
  /// The flags are those of the first period, but `.end`, which is the last one's.
  public func feed(
    _ samples: [Int32], rate: SampleRate = .cd, channels: Int32 = 2, flags: Period.Flags = []
  ) throws -> Bool {
    var offset = 0
    repeat {
      guard try wait(until: { self.writer.freeCount > 0 }) else { return false }
      let count = min(Period.frameCapacity, samples.count / 2 - offset)
      samples.withUnsafeBufferPointer { source in
        guard let start = source.baseAddress else { return }
        writer.room.update(from: start + offset * 2, count: count * 2)
      }
      var period = Period()
      period.frameCount = Int32(count)
      period.rate = rate
      period.sourceChannels = channels
      period.epoch = board.pointee.wantedEpoch.load(ordering: .relaxed)
      period.start = time
      period.duration = StreamTime(frames: FrameCount(count), at: rate)
      period.flags = offset == 0 ? flags.subtracting(.end) : []
      time += period.duration
      offset += count
      if offset == samples.count / 2, flags.contains(.end) { period.flags.insert(.end) }
      writer.commit(period)
      thread.call()
    } while offset < samples.count / 2
    return true
  }

  /// Whether a period can be fed without waiting.
  public var hasRoom: Bool { writer.freeCount > 0 }

  /// Waits until the render thread has brought something about; false where it has not in ten seconds.
  public func wait(until condition: () -> Bool) throws -> Bool {
    let limit = bk_monotonic_ns() + 10_000_000_000
    while !condition() {
      if setsFormats, thread.needsFormat { try thread.setFormat() }
      if bk_monotonic_ns() > limit { return false }
      bk_sleep_until_ns(bk_monotonic_ns() + 500_000)
    }
    return true
  }

  /// Waits until the last frame of the wanted programme was played.
  public func waitForEnd() throws -> Bool {
    let board = board
    let epoch = board.pointee.wantedEpoch.load(ordering: .relaxed)
    return try wait { board.pointee.finishedEpoch.load(ordering: .acquiring) == epoch }
  }

  /// Frames of programme that went to the sink so far.
  public var playedFrames: Int { Int(board.pointee.playedFrames.load(ordering: .acquiring)) }
}

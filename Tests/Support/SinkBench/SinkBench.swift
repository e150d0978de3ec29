import AudioOutput
import Blocks
import CLinux
import System
import Units

/// A render thread with a sink. The test's thread replaces the decode thread and feeds the periods. The test's thread
/// is also the control thread: it sets the sink's format on request of the render thread.
public final class SinkBench {
  /// The render thread with its sink.
  public let thread: RenderThread
  /// The status shared by the threads.
  public let board: UnsafePointer<StatusBoard>
  /// True if a format requested by the render thread is set at once.
  public var setsFormats = true
  private let arena: Arena
  private var writer: PeriodWriter
  private var time = StreamTime.zero

  /// Creates a bench with the requested sink. If `isRunning` is false, the thread waits for `thread.run()`.
  public init(_ request: OutputRequest, isRunning: Bool = true) throws {
    arena = try Arena(ByteCount.kibi(1_024))
    board = StatusBoard.make(in: arena)
    let ring = PeriodRing.make(in: arena)
    writer = PeriodWriter(ring)
    thread = try RenderThread(request, ring, board, clock: .machine, in: arena)
    try thread.start()
    if isRunning { thread.run() }
  }

  /// Requests another programme and resets its time to zero.
  public func tune(to epoch: UInt32) {
    time = .zero
    board.pointee.wantedEpoch.store(epoch, ordering: .releasing)
  }

  /// Requests a seek, whose audio is fed next.
  public func seek(to number: UInt32) {
    board.pointee.wantedSeek.store(number, ordering: .releasing)
    board.pointee.readySeek.store(number, ordering: .releasing)
  }

  /// Writes interleaved stereo samples as periods and waits for room. Returns false after 10 s without room. The first
  /// period gets the flags, but `.end` goes to the last period.
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
      period.seek = board.pointee.wantedSeek.load(ordering: .relaxed)
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

  /// True if a period can be written without waiting.
  public var hasFreePeriod: Bool { writer.freeCount > 0 }

  /// Waits for a condition and sets requested formats meanwhile. Returns false after 10 s.
  public func wait(until condition: () -> Bool) throws -> Bool {
    let limit = bk_monotonic_ns() + 10_000_000_000
    while !condition() {
      if setsFormats, thread.needsFormat { try thread.setFormat() }
      if bk_monotonic_ns() > limit { return false }
      bk_sleep_until_ns(bk_monotonic_ns() + 500_000)
    }
    return true
  }

  /// Waits until the last frame of the wanted programme was played. Returns false after 10 s.
  public func waitForEnd() throws -> Bool {
    let board = board
    let epoch = board.pointee.wantedEpoch.load(ordering: .relaxed)
    return try wait { board.pointee.finishedEpoch.load(ordering: .acquiring) == epoch }
  }

  /// Number of programme frames that the sink received so far.
  public var playedFrames: Int { Int(board.pointee.playedFrames.load(ordering: .acquiring)) }
}

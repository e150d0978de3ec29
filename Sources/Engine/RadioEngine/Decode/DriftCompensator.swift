import Blocks
import Decoding
import Units

/// Keeps a live programme's distance from live: makes the audio slightly longer or shorter (N7). Decode thread only.
struct DriftCompensator: ~Copyable {
  private var interpolator: Interpolator
  private var control = DriftControl()
  private var keepsDistance = false
  private var nextLook = MonotonicTime.zero
  private let board: UnsafePointer<StatusBoard>
  private let ring: UnsafePointer<BlockRing>

  private static let interval = Duration(milliseconds: 1_000)

  init(_ board: UnsafePointer<StatusBoard>, _ ring: UnsafePointer<BlockRing>, _ depth: SampleDepth) {
    interpolator = Interpolator(depth)
    self.board = board
    self.ring = ring
  }

  mutating func begin() {
    interpolator.reset()
    interpolator.steer(to: .one)
    control.restart()
    keepsDistance = false
    nextLook = .zero
  }

  mutating func reset() { interpolator.reset() }

  /// Measures the buffer and updates the ratio, once a second while audio of `epoch` and `seek` plays.
  mutating func measure(at now: MonotonicTime, _ epoch: UInt32, _ seek: UInt32) {
    guard now >= nextLook else { return }
    nextLook = now + Self.interval
    let aim = StreamTime(ticks: board.pointee.driftAim.load(ordering: .relaxed))
    guard aim > .zero else { return interpolator.steer(to: .one) }
    let wish = board.pointee.keepsDistance.load(ordering: .relaxed)
    if wish != keepsDistance {
      keepsDistance = wish
      if wish { control.keepDistance() } else { control.restart() }
    }
    guard !board.pointee.isPaused.load(ordering: .relaxed),
      board.pointee.heardEpoch.load(ordering: .acquiring) == epoch,
      board.pointee.heardSeek.load(ordering: .acquiring) == seek
    else { return }
    let heard = StreamTime(ticks: board.pointee.heard.load(ordering: .relaxed))
    let ratio = control.update(now: now, held: ring.pointee.statistics.written - heard, aim: aim)
    board.pointee.driftRatio.store(ratio.partsPerBillion, ordering: .relaxed)
    interpolator.steer(to: ratio)
  }

  mutating func consume(_ frames: UnsafePointer<Int32>, count: Int) -> Bool {
    interpolator.consume(frames, count: count)
  }

  mutating func consumeTail() { interpolator.flush() }

  mutating func next(_ out: UnsafeMutablePointer<Int32>) -> Int { interpolator.next(out) }

  func pending(at rate: SampleRate) -> StreamTime { interpolator.pending(at: rate) }
}

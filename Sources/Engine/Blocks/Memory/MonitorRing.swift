import Synchronization
import Units

/// A copy of the last audio written to the sink, for meters. While copying is on, the render thread writes and the
/// control thread reads, without locks.
///
/// A frame is two samples of 16 bits, the left one in the low half.
public struct MonitorRing: ~Copyable, @unchecked Sendable {
  private let frames: UnsafeMutablePointer<Atomic<UInt32>>
  private let written = Atomic<Int>(0)
  private let isWanted = Atomic<Bool>(false)

  /// Frames in the ring: a card's 200 ms at 48 kHz, with reserve.
  public static let capacity = 16_384
  /// Number of newest frames that a reader may copy; the writer does not overwrite them during a copy.
  private static let reach = capacity - 4_096

  static var cost: ByteCount {
    Arena.cost(of: MonitorRing.self) + Arena.cost(of: Atomic<UInt32>.self, count: capacity)
  }

  private init(_ frames: UnsafeMutablePointer<Atomic<UInt32>>) { self.frames = frames }

  /// Creates a ring in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<MonitorRing> {
    let frames = arena.reserve(Atomic<UInt32>.self, count: capacity)
    for index in 0..<capacity { (frames + index).initialize(to: Atomic(0)) }
    let ring = arena.reserve(MonitorRing.self)
    ring.initialize(to: MonitorRing(frames))
    return UnsafePointer(ring)
  }

  // MARK: Render thread

  /// If copying is on, copies frames of 24-bit samples and reduces them to 16 bits.
  @_noLocks @_noAllocation
  public func put(_ samples: UnsafePointer<Int32>, _ count: Int) {
    if !isWanted.load(ordering: .relaxed) { return }
    let first = written.load(ordering: .relaxed)
    for frame in 0..<count {
      let left = UInt32(truncatingIfNeeded: samples[2 &* frame] &>> 8) & 0xFFFF
      let right = UInt32(truncatingIfNeeded: samples[2 &* frame &+ 1] &>> 8) &<< 16
      frames[(first &+ frame) & (Self.capacity &- 1)].store(left | right, ordering: .relaxed)
    }
    written.store(first &+ count, ordering: .releasing)
  }

  // MARK: Control thread

  /// Number of frames copied so far; the `origin` of a reader that starts now.
  public var count: Int { written.load(ordering: .acquiring) }

  /// Switches copying on or off.
  public func want(_ isWanted: Bool) { self.isWanted.store(isWanted, ordering: .relaxed) }

  /// True if copying is on.
  public var isOn: Bool { isWanted.load(ordering: .relaxed) }

  /// Copies the last frames since `origin` that were written at least `delay` frames ago. Returns their number.
  ///
  /// If the delay exceeds the ring, copies the oldest frames. `window`: frames of a measurement, whose last frames are
  /// copied; nil for the size of `out`.
  public func read(
    into out: UnsafeMutableBufferPointer<UInt32>, since origin: Int, delay: Int, of window: Int? = nil
  ) -> Int {
    let written = count
    let heard = written - max(0, delay)
    let oldest = max(origin, written - Self.reach)
    let end = heard > origin ? max(heard, min(written, oldest + (window ?? out.count))) : oldest
    let first = max(oldest, end - out.count)
    assert(first <= end && end <= written && end - first <= out.count, "what is copied was written, and has room")
    for index in 0..<(end - first) {
      out[index] = frames[(first &+ index) & (Self.capacity &- 1)].load(ordering: .relaxed)
    }
    return end - first
  }
}

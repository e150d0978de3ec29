import Synchronization
import Units

/// The sound that went to the sink last, for meters: the render thread writes it while somebody looks, the control
/// thread reads it; no locks, and nobody waits.
///
/// A frame is two samples of 16 bits, the left one in the low half.
public struct MonitorRing: ~Copyable, @unchecked Sendable {
  private let frames: UnsafeMutablePointer<Atomic<UInt32>>
  /// Frames written since the beginning.
  private let written = Atomic<Int>(0)
  private let isWanted = Atomic<Bool>(false)

  /// Frames in the ring: a card's 200 ms at 48 kHz, and enough before that.
  public static let capacity = 16_384
  /// Frames that a reader may have of it, so that the writer never comes near.
  private static let reach = capacity - 4_096

  static var cost: ByteCount {
    Arena.cost(of: MonitorRing.self) + Arena.cost(of: Atomic<UInt32>.self, count: capacity)
  }

  private init(_ frames: UnsafeMutablePointer<Atomic<UInt32>>) { self.frames = frames }

  /// A ring in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<MonitorRing> {
    let frames = arena.reserve(Atomic<UInt32>.self, count: capacity)
    for index in 0..<capacity { (frames + index).initialize(to: Atomic(0)) }
    let ring = arena.reserve(MonitorRing.self)
    ring.initialize(to: MonitorRing(frames))
    return UnsafePointer(ring)
  }

  // MARK: The render thread's

  /// Takes a copy of what goes to the sink, 24 bits a sample, while somebody looks.
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

  // MARK: The control thread's

  /// Frames written so far; a reader counts from where it began to look.
  public var count: Int { written.load(ordering: .acquiring) }

  /// Says whether somebody looks.
  public func want(_ isWanted: Bool) { self.isWanted.store(isWanted, ordering: .relaxed) }

  /// Whether somebody looks.
  public var isOn: Bool { isWanted.load(ordering: .relaxed) }

  /// The rules that are broken, of a ring to which so many frames were given while somebody looked.
  func checkInvariants(given frameCount: Int) -> [String] {
    var check = InvariantCheck()
    check.require(count == frameCount, "\(count) frames are counted, and \(frameCount) were given")
    return check.broken
  }

  /// Copies the frames, written since `origin`, that ended `delay` frames ago, as many as `out` takes and the ring has;
  /// how many that are. Where a sink holds more than the ring, they are the oldest.
  public func read(into out: UnsafeMutableBufferPointer<UInt32>, since origin: Int, delay: Int) -> Int {
    let written = count
    let heard = written - max(0, delay)
    let oldest = max(origin, written - Self.reach)
    let end = heard > origin ? max(heard, min(written, oldest + out.count)) : oldest
    let first = max(oldest, end - out.count)
    assert(first <= end && end <= written && end - first <= out.count, "what is copied was written, and has room")
    for index in first..<end { out[index - first] = frames[index & (Self.capacity - 1)].load(ordering: .relaxed) }
    return end - first
  }
}

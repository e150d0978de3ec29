import Synchronization
import Units

/// Passes periods of PCM from the decode thread to the render thread without locks or copies.
public struct PeriodRing: ~Copyable, @unchecked Sendable {
  let periods: UnsafeMutablePointer<Period>
  let samples: UnsafeMutablePointer<Int32>
  let written = Atomic<Int>(0)
  private let separate = InlineArray<15, Int>(repeating: 0)
  let read = Atomic<Int>(0)

  /// Periods in the ring: 0.8 s of MP3 at 44.1 kHz.
  public static var capacity: Int { 32 }

  /// Returns the slot of a period. `capacity` must be a power of two.
  @_noLocks @_noAllocation
  static func slot(_ count: Int) -> Int { count & (capacity &- 1) }

  static var cost: ByteCount {
    Arena.cost(of: PeriodRing.self) + Arena.cost(of: Period.self, count: capacity)
      + Arena.cost(of: Int32.self, count: capacity * Period.sampleCapacity())
  }

  private init(periods: UnsafeMutablePointer<Period>, samples: UnsafeMutablePointer<Int32>) {
    self.periods = periods
    self.samples = samples
  }

  /// Creates a ring in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<PeriodRing> {
    let periods = arena.reserve(Period.self, count: capacity)
    periods.initialize(repeating: Period(), count: capacity)
    let samples = arena.reserve(Int32.self, count: capacity * Period.sampleCapacity())
    let ring = arena.reserve(PeriodRing.self)
    ring.initialize(to: PeriodRing(periods: periods, samples: samples))
    return UnsafePointer(ring)
  }
}

/// The reading end of the ring. Render thread, or control thread while the render thread is parked.
public struct PeriodReader: ~Copyable {
  private let ring: UnsafePointer<PeriodRing>

  /// Creates the only reader of a ring.
  public init(_ ring: UnsafePointer<PeriodRing>) { self.ring = ring }

  /// Returns true if no period is queued.
  @_noLocks @_noAllocation
  public func isEmpty() -> Bool {
    let read = ring.pointee.read.load(ordering: .relaxed)
    return ring.pointee.written.load(ordering: .acquiring) == read
  }

  /// Returns the oldest period. Call only if the ring is not empty.
  @_noLocks @_noAllocation
  public func period() -> Period {
    ring.pointee.periods[PeriodRing.slot(ring.pointee.read.load(ordering: .relaxed))]
  }

  /// Returns the oldest period's samples; valid until `advance`.
  @_noLocks @_noAllocation
  public func samples() -> UnsafePointer<Int32> {
    let slot = PeriodRing.slot(ring.pointee.read.load(ordering: .relaxed))
    return UnsafePointer(ring.pointee.samples + slot &* Period.sampleCapacity())
  }

  /// Frees the oldest period's slot.
  @_noLocks @_noAllocation
  public mutating func advance() {
    let read = ring.pointee.read.load(ordering: .relaxed)
    ring.pointee.read.store(read &+ 1, ordering: .releasing)
  }
}

import Units

/// The frames written last to a sink, of two samples each, to fade out a sink that drops queued frames. Render thread.
public struct RecentFrames: ~Copyable {
  private let samples: UnsafeMutablePointer<Int32>
  private var written = 0
  private var available = 0

  /// Maximum number of frames: a card's 200 ms at 48 kHz, with reserve. A power of two.
  public static var capacity: Int { 16_384 }

  /// Maximum number of frames copied at once. glibc for x86-64 copies more bytes with a string instruction, and
  /// valgrind counts an instruction for each byte.
  private static var maxRun: Int { 512 }

  static var cost: ByteCount { Arena.cost(of: Int32.self, count: 2 * capacity) }

  /// Reserves the memory in an arena.
  public init(in arena: Arena) {
    samples = arena.reserve(Int32.self, count: 2 * Self.capacity)
    samples.initialize(repeating: 0, count: 2 * Self.capacity)
  }

  /// Returns the number of newest frames that `remove` can return.
  @_noLocks @_noAllocation
  public func count() -> Int { available }

  /// Forgets all frames, because a new sink has none.
  @_noLocks @_noAllocation
  public mutating func clear() { available = 0 }

  /// Appends frames.
  @_noLocks @_noAllocation
  public mutating func append(_ frames: UnsafePointer<Int32>, _ count: Int) {
    var done = max(0, count &- Self.capacity)
    while done < count {
      let slot = (written &+ done) & (Self.capacity &- 1)
      let run = min(min(count &- done, Self.capacity &- slot), Self.maxRun)
      UnsafeMutableRawPointer(samples + 2 &* slot).copyMemory(from: frames + 2 &* done, byteCount: 8 &* run)
      done = done &+ run
    }
    written = written &+ count
    available = min(Self.capacity, available &+ count)
  }

  /// Removes the newest `count` frames, at most `count()`. Copies the first `wanted` removed frames to `out`.
  @_noLocks @_noAllocation
  public mutating func remove(_ count: Int, first wanted: Int, into out: UnsafeMutablePointer<Int32>) {
    written = written &- count
    available = available &- count
    for frame in 0..<min(wanted, count) {
      let slot = (written &+ frame) & (Self.capacity &- 1)
      out[2 &* frame] = samples[2 &* slot]
      out[2 &* frame &+ 1] = samples[2 &* slot &+ 1]
    }
  }
}

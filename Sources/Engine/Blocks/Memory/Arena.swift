import CLinux
import Units

/// The engine's memory could not be mapped.
public struct ArenaError: Error, CustomStringConvertible {
  /// The requested size.
  public let byteCount: ByteCount
  /// The error of mmap(2).
  public let errno: Int32

  /// A sentence for people.
  public var description: String {
    "Could not reserve \(byteCount.value / 1024) KiB of memory (error \(errno)); make the buffer smaller, or free "
      + "some memory."
  }
}

/// The memory of the audio path, mapped, filled and locked once (mmap(2), mlock(2)). `seal` ends allocation.
///
/// One thread creates the arena and allocates from it before the others start. Allocated memory lives as long as the
/// arena.
public final class Arena: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  /// The total size.
  public let byteCount: ByteCount
  /// True if the kernel locked the memory; the arena also works unlocked.
  public let isLocked: Bool
  /// Bytes allocated; nil once the arena is sealed.
  private var used: Int? = 0

  /// Alignment in bytes: each allocation starts on its own cache line, so that threads never share a line.
  static let alignment = 64

  /// Maps, fills and locks an arena.
  public init(_ byteCount: ByteCount) throws(ArenaError) {
    var locked = false
    guard let base = bk_map(max(byteCount.value, 1), &locked) else {
      throw ArenaError(byteCount: byteCount, errno: bk_errno())
    }
    self.base = base
    self.byteCount = byteCount
    isLocked = locked
  }

  deinit { bk_unmap(base, max(byteCount.value, 1)) }

  /// Returns the arena bytes that `count` values of a type use.
  public static func cost<T: ~Copyable>(of type: T.Type, count: Int = 1) -> ByteCount {
    ByteCount((MemoryLayout<T>.stride * count + alignment - 1) & ~(alignment - 1))
  }

  /// Allocates zeroed memory for `count` values; traps if the arena is sealed or too small.
  public func reserve<T: ~Copyable>(_ type: T.Type, count: Int = 1) -> UnsafeMutablePointer<T> {
    guard let start = used else { preconditionFailure("nothing is reserved once the audio path runs") }
    let end = start + Self.cost(of: type, count: count).value
    precondition(end <= byteCount.value, "the memory budget must cover every consumer")
    used = end
    return (base + start).bindMemory(to: type, capacity: count)
  }

  /// Ends allocation: a later `reserve` traps.
  public func seal() { used = nil }
}

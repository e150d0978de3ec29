import CLinux
import Units

/// Why the engine's memory could not be had.
public struct ArenaError: Error, CustomStringConvertible {
  /// How much was asked for.
  public let byteCount: ByteCount
  /// What mmap(2) answered.
  public let errno: Int32

  /// A sentence for people.
  public var description: String {
    "Could not reserve \(byteCount.value / 1024) KiB of memory (error \(errno)); make the buffer smaller "
      + "(--buffer-blocks) or free some memory."
  }
}

/// All memory of the audio path: mapped, filled and locked once, handed out piece by piece until it is sealed.
///
/// Made and filled by one thread before the others start; what was handed out lives as long as the arena does. Rests on
/// mmap(2) and mlock(2).
public final class Arena: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  /// Its whole size.
  public let byteCount: ByteCount
  /// Whether the kernel locked it into memory; where the limit forbids it, the arena works all the same.
  public let isLocked: Bool
  /// How much was handed out; nil once it is sealed.
  private var used: Int? = 0

  /// Every piece begins on a cache line of its own, so that two threads' pieces never share one.
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

  /// What `count` values of a type take up in an arena.
  public static func cost<T: ~Copyable>(of type: T.Type, count: Int = 1) -> ByteCount {
    ByteCount((MemoryLayout<T>.stride * count + alignment - 1) & ~(alignment - 1))
  }

  /// Hands out room for `count` values, zeroed; traps when the arena is sealed or the budget was wrong.
  public func reserve<T: ~Copyable>(_ type: T.Type, count: Int = 1) -> UnsafeMutablePointer<T> {
    guard let start = used else { preconditionFailure("nothing is reserved once the audio path runs") }
    let end = start + Self.cost(of: type, count: count).value
    precondition(end <= byteCount.value, "the memory budget must cover every consumer")
    used = end
    return (base + start).bindMemory(to: type, capacity: count)
  }

  /// Ends the reserving: from here on the audio path lives on what it has.
  public func seal() { used = nil }
}

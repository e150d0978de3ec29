import CLinux
import Units

/// A flag that wakes a thread that waits for it (eventfd(2)). Any thread may raise it; one thread waits.
///
/// Raised twice before anybody looks, it wakes once. Where the kernel gave no descriptor it is not open: a wait lasts
/// for its whole timeout, and the rest does nothing.
public struct WakeFlag: ~Copyable, Sendable {
  private let file: Descriptor

  /// A flag that is not raised.
  public init() { file = Descriptor(bk_event_open()) }

  /// Whether the kernel gave a descriptor.
  public var isOpen: Bool { file.isOpen }

  /// What poll(2) and epoll(7) can wait for, as long as the flag is there.
  public var descriptor: Int32 { file.raw }

  /// The flag for the render thread.
  public var unowned: Unowned { Unowned(file.raw) }

  /// Wakes who waits, or who waits next.
  public func raise() { bk_event_raise(file.raw) }

  /// Takes back what was raised. What is looked at after it is not missed: a change after that raises the flag again.
  public func clear() { bk_event_clear(file.raw) }

  /// Waits until the flag is raised, and clears it; false where it was not within `timeout`, as `clock` counts.
  @discardableResult
  public func wait(_ timeout: Duration, by clock: Clock) -> Bool {
    guard bk_wait_readable(file.raw, clock.realMilliseconds(timeout.milliseconds)) > 0 else { return false }
    clear()
    return true
  }

  /// The same; another descriptor that can be read ends the wait too, without the flag. A negative one is not looked
  /// at.
  @discardableResult
  public func wait(_ timeout: Duration, orReadable other: Int32, by clock: Clock) -> Bool {
    guard bk_wait_either(file.raw, other, clock.realMilliseconds(timeout.milliseconds)) > 0 else { return false }
    clear()
    return true
  }

  /// A flag in the hands of a thread that may not count references. Whoever started the thread keeps the flag longer.
  public struct Unowned: BitwiseCopyable, Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Waits until the flag is raised, and clears it, or for so many milliseconds.
    @_noLocks @_noAllocation
    public func park(milliseconds: Int32, by clock: Clock) {
      _ = bk_park(descriptor, clock.realMilliseconds(milliseconds))
    }
  }
}

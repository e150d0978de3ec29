import CLinux
import Units

/// Wakes a waiting thread (eventfd(2)). Any thread may raise the flag, and one thread waits for it. Several raises
/// before a wait end only this wait. If the kernel refuses a descriptor, each wait lasts for its timeout, and other
/// calls do nothing.
public struct WakeFlag: ~Copyable, Sendable {
  private let file: Descriptor

  /// Creates a cleared flag.
  public init() { file = Descriptor(bk_event_open()) }

  /// True if the kernel granted a descriptor.
  public var isOpen: Bool { file.isOpen }

  /// The descriptor for poll(2) and epoll(7), valid while the flag exists.
  public var descriptor: Int32 { file.raw }

  /// The flag without reference counting, for the render thread.
  public var unowned: Unowned { Unowned(file.raw) }

  /// Ends the current or the next wait. Any thread.
  public func raise() { bk_event_raise(file.raw) }

  /// Clears the flag. Check the watched state after this call: a later change raises the flag again.
  public func clear() { bk_event_clear(file.raw) }

  /// Waits until the flag is raised, and clears it. Returns false after `timeout` or a signal.
  @discardableResult
  public func wait(_ timeout: Duration, by clock: Clock) -> Bool {
    guard bk_wait_readable(file.raw, clock.realMilliseconds(timeout.milliseconds)) > 0 else { return false }
    clear()
    return true
  }

  /// Waits as `wait(_:by:)`. The wait also ends if `other` is readable; a negative `other` is ignored. Returns true
  /// only if the flag is raised.
  @discardableResult
  public func wait(_ timeout: Duration, orReadable other: Int32, by clock: Clock) -> Bool {
    guard bk_wait_either(file.raw, other, clock.realMilliseconds(timeout.milliseconds)) > 0 else { return false }
    clear()
    return true
  }

  /// A flag without reference counting, for the render thread. The `WakeFlag` must exist until the thread ends.
  public struct Unowned: BitwiseCopyable, Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Waits until the flag is raised, or for `nanoseconds`, and clears it. Returns true if it was raised.
    @_noLocks @_noAllocation
    public func park(nanoseconds: Int64, by clock: Clock) -> Bool {
      bk_park(descriptor, clock.realNanoseconds(nanoseconds))
    }
  }
}

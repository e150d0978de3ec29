import CLinux

/// A thread of this program (pthread_create(3)), named "bk-" and its name. Whoever holds it waits for its end, at the
/// latest where the holder goes.
public struct OwnedThread: ~Copyable, @unchecked Sendable {
  /// When the scheduler lets a thread run.
  public enum Priority: Sendable {
    /// As every other thread.
    case usual
    /// Before the threads of other programs, by so much of nice(2); refused without a word where it is not permitted.
    case favoured(Int32)
    /// SCHED_FIFO (sched(7)), 1 to 99, with its stack locked into memory. Where it is not permitted the thread runs as
    /// every other.
    case realtime(Int32)
  }

  /// The stack of a thread that asks for no other, in bytes.
  @usableFromInline static let usualStackByteCount = 256 * 1024

  private let handle: OpaquePointer
  /// Whether the kernel granted SCHED_FIFO.
  public let isRealtime: Bool

  /// Starts a thread with a stack of its own, in bytes, below which lies a page that nobody may touch. It keeps what
  /// `body` holds until its end; whoever holds the thread must not be kept by it alone.
  public init(
    _ name: String, stackByteCount: Int = OwnedThread.usualStackByteCount, _ priority: Priority = .usual,
    _ body: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    var isRealtime = false
    guard let handle = Self.start(name, stackByteCount, priority, runBody, context, &isRealtime) else {
      let error = ThreadError(name)
      Unmanaged<ThreadBody>.fromOpaque(context).release()
      throw error
    }
    self.handle = handle
    self.isRealtime = isRealtime
  }

  /// The same with a C function, before and after which nothing of ours runs on the thread.
  public init(
    _ name: String, stackByteCount: Int = OwnedThread.usualStackByteCount, _ priority: Priority = .usual,
    entry: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer?
  ) throws(ThreadError) {
    var isRealtime = false
    guard let handle = Self.start(name, stackByteCount, priority, entry, context, &isRealtime) else {
      throw ThreadError(name)
    }
    self.handle = handle
    self.isRealtime = isRealtime
  }

  private static func start(
    _ name: String, _ stackByteCount: Int, _ priority: Priority,
    _ entry: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer?,
    _ isRealtime: inout Bool
  ) -> OpaquePointer? {
    let number: Int32 =
      switch priority {
      case .usual: 0
      case .favoured(let niceness): -max(0, niceness)
      case .realtime(let priority): max(1, priority)
      }
    return bk_thread_start(entry, context, "bk-\(name)", stackByteCount, number, &isRealtime)
  }

  deinit { bk_thread_join(handle) }

  /// Waits for its end.
  public consuming func join() {}

  /// Leaves it to the end of the program: nobody waits for it any more.
  public consuming func abandon() {
    bk_thread_abandon(handle)
    discard self
  }

  /// Starts a thread that nobody waits for; false where the kernel gives none.
  public static func detach(
    _ name: String, stackByteCount: Int = OwnedThread.usualStackByteCount, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    if bk_thread_start_detached(runBody, context, "bk-\(name)", stackByteCount) { return true }
    Unmanaged<ThreadBody>.fromOpaque(context).release()
    return false
  }
}

/// What a thread does, on its way there.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
}

import CLinux

/// A thread named "bk-" plus its name (pthread_create(3)). The deinitialization waits for the thread's end.
public struct OwnedThread: ~Copyable, @unchecked Sendable {
  /// The scheduling of a thread.
  public enum Priority: Sendable {
    /// Normal priority.
    case usual
    /// A higher priority by this amount of nice(2); normal priority if not permitted.
    case favoured(Int32)
    /// SCHED_FIFO (sched(7)), 1 to 99, with a locked stack; normal priority if not permitted.
    case realtime(Int32)
  }

  @usableFromInline static let usualStackByteCount = 256 * 1024

  private let handle: OpaquePointer
  /// True if the kernel granted SCHED_FIFO.
  public let isRealtime: Bool

  /// Starts a thread with a guard page below its stack. The thread retains the captures of `body` until its end. The
  /// captures must not include the only owner of this value: the thread would then wait for its own end.
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

  /// Starts a thread with a C function, without Swift code around it.
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

  /// Waits for the thread's end.
  public consuming func join() {}

  /// Detaches the thread without waiting for its end.
  public consuming func abandon() {
    bk_thread_abandon(handle)
    discard self
  }

  /// Starts a detached thread; returns false if the kernel refuses.
  public static func detach(
    _ name: String, stackByteCount: Int = OwnedThread.usualStackByteCount, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    if bk_thread_start_detached(runBody, context, "bk-\(name)", stackByteCount) { return true }
    Unmanaged<ThreadBody>.fromOpaque(context).release()
    return false
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
}

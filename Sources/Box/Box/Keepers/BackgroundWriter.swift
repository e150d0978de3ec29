import Settings
import System
import Units

/// Writes pending data on a separate thread, because a card may be slow. Repeats a failed write after 10 s, and in
/// `finish`.
final class BackgroundWriter {
  /// Writing thread only: the worker, or the caller without a worker.
  final class Tries: Sendable {
    private let hasFailed = Locked(false)
    private let write: @Sendable () throws(SettingsError) -> Bool
    private let report: @Sendable (String) -> Void

    /// Creates a writer. `write`: writes one pending item and returns true if more are pending. `report`: receives the
    /// first error in a series.
    init(
      report: @escaping @Sendable (String) -> Void = { log(.warning, $0) },
      _ write: @escaping @Sendable () throws(SettingsError) -> Bool
    ) {
      (self.report, self.write) = (report, write)
    }

    /// Writes all pending items. Returns the delay until a retry; `.forever` after success.
    func writeAll() -> Duration {
      do throws(SettingsError) {
        var isMore = true
        while isMore {
          isMore = try write()
          hasFailed.withLock { $0 = false }
        }
        return .forever
      } catch {
        let isFirst = hasFailed.withLock { hasFailed in
          defer { hasFailed = true }
          return !hasFailed
        }
        if isFirst { report(error.description) }
        return Duration(milliseconds: 10_000)
      }
    }
  }

  private let retryingWrite: Tries
  private let makeThread: () -> Worker<Bool>?
  /// The writing thread; nil before the first write, and if the kernel refused a thread. Without a thread, `startWrite`
  /// writes on the caller's thread.
  private var thread: Worker<Bool>?
  private(set) var isStarted = false

  /// Creates a writer. The thread starts with the first write, because many boxes never write some of the files.
  init(_ name: String, _ clock: Clock, _ write: @escaping @Sendable () throws(SettingsError) -> Bool) {
    let tries = Tries(write)
    self.retryingWrite = tries
    makeThread = { Worker.make(name, clock) { _ in tries.writeAll() } }
  }

  func startWrite() {
    if !isStarted { (thread, isStarted) = (makeThread(), true) }
    if let thread { thread.submit(true) } else { _ = retryingWrite.writeAll() }
  }

  /// Writes the pending items, including failed ones, and ends the thread. Call once.
  func finish() {
    guard isStarted else { return }
    startWrite()
    thread?.finish(within: Duration(milliseconds: 3_000))
  }
}

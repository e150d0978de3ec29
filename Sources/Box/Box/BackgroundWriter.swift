import Settings
import System
import Units

/// Writes what waits on a thread of its own: a slow card keeps nobody waiting. What could not be written is tried again
/// after ten seconds, and at the end.
final class BackgroundWriter {
  /// One try after the other. Whichever thread writes has them.
  final class Tries: Sendable {
    private let hasFailed = Locked(false)
    private let write: @Sendable () throws(SettingsError) -> Bool
    private let report: @Sendable (String) -> Void

    /// `write` writes one thing, if any waits, and tells whether more does; `report` is given the sentence of the first
    /// of several failures.
    init(
      report: @escaping @Sendable (String) -> Void = { log(.warning, $0) },
      _ write: @escaping @Sendable () throws(SettingsError) -> Bool
    ) {
      (self.report, self.write) = (report, write)
    }

    /// Writes what waits; after how long it is to be tried again.
    func next() -> Duration {
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

  private let tries: Tries
  /// Nil where the kernel gave none: then whoever asks writes.
  private let thread: Worker<Bool>?

  /// A thread of a name, which calls `write` until nothing waits.
  init(_ name: String, _ clock: Clock, _ write: @escaping @Sendable () throws(SettingsError) -> Bool) {
    let tries = Tries(write)
    self.tries = tries
    thread = Worker.make(name, clock) { _ in tries.next() }
  }

  /// Something waits.
  func call() { if let thread { thread.give(true) } else { _ = tries.next() } }

  /// Tries once more to write what is not yet written, and ends the thread; once.
  func finish() {
    call()
    thread?.finish(within: Duration(milliseconds: 3_000))
  }
}

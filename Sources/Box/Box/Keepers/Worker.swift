import System
import Units

/// A thread that repeats one task with the newest item. `submit` never waits.
final class Worker<Item: Sendable>: Sendable {
  private struct Pending {
    var item: Item?
    var isEnding = false
  }

  private let pending = Locked(Pending())
  private let wake = WakeFlag()
  private let done = WakeFlag()
  private let body: @Sendable (Item?) -> Duration
  private let clock: Clock
  private nonisolated(unsafe) var thread: OwnedThread?

  /// Starts a thread that calls `body` with the newest item; nil if there is no new item. `body` returns the maximum
  /// pause by `clock`, limited to 60 s; a new item ends the pause.
  init(_ name: String, _ clock: Clock, _ body: @escaping @Sendable (Item?) -> Duration) throws(ThreadError) {
    self.body = body
    self.clock = clock
    thread = try OwnedThread(name) { self.run() }
  }

  static func make(_ name: String, _ clock: Clock, _ body: @escaping @Sendable (Item?) -> Duration) -> Worker? {
    do throws(ThreadError) {
      return try Worker(name, clock, body)
    } catch {
      log(.warning, error.description)
      return nil
    }
  }

  /// Passes an item to the thread, replacing an unprocessed one.
  func submit(_ item: Item) {
    pending.withLock { $0.item = item }
    wake.raise()
  }

  /// Ends the thread after the last item. Call once. Waits at most `patience`; then a thread blocked by its hardware
  /// continues to run.
  func finish(within patience: Duration) {
    pending.withLock { $0.isEnding = true }
    wake.raise()
    guard let thread = thread.take() else { return }
    if done.wait(patience, by: clock) { thread.join() } else { thread.abandon() }
  }

  private func run() {
    defer { done.raise() }
    while true {
      let (item, isEnding) = pending.withLock { ($0.item.take(), $0.isEnding) }
      if isEnding, item == nil { return }
      let rest = body(item)
      if isEnding { return }
      wake.wait(min(rest, Duration(milliseconds: 60_000)), by: clock)
    }
  }
}

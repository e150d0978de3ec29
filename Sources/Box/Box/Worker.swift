import System
import Units

/// A thread that does one thing over and over with the newest of what it is given, so that whoever gives never waits.
final class Worker<Item: Sendable>: Sendable {
  private struct Order {
    var item: Item?
    var isEnding = false
  }

  private let order = Locked(Order())
  private let wake = WakeFlag()
  /// Raised when the thread is done.
  private let done = WakeFlag()
  private let body: @Sendable (Item?) -> Duration
  private let clock: Clock
  private nonisolated(unsafe) var thread: OwnedThread?

  /// Calls `body` with what was given last, nil where nothing new came; it tells how long it rests by `clock` where
  /// nothing more is given, which is for ever where that is `forever`.
  init(_ name: String, _ clock: Clock, _ body: @escaping @Sendable (Item?) -> Duration) throws(ThreadError) {
    self.body = body
    self.clock = clock
    thread = try OwnedThread(name) { self.run() }
  }

  /// The same; nil where the kernel gives no thread, which is logged.
  static func make(_ name: String, _ clock: Clock, _ body: @escaping @Sendable (Item?) -> Duration) -> Worker? {
    do throws(ThreadError) {
      return try Worker(name, clock, body)
    } catch {
      log(.warning, error.description)
      return nil
    }
  }

  /// Something newer; what was given before and not yet taken is forgotten.
  func give(_ item: Item) {
    order.withLock { $0.item = item }
    wake.raise()
  }

  /// Lets it finish what it was given last, and ends it; once. What takes longer is not waited for: a thread whose
  /// hardware never answers is left to the end of the program.
  func finish(within patience: Duration) {
    order.withLock { $0.isEnding = true }
    wake.raise()
    guard let thread = thread.take() else { return }
    if done.wait(patience, by: clock) { thread.join() } else { thread.abandon() }
  }

  private func run() {
    defer { done.raise() }
    while true {
      let (item, isEnding) = order.withLock { order in
        defer { order.item = nil }
        return (order.item, order.isEnding)
      }
      if isEnding, item == nil { return }
      let rest = body(item)
      if isEnding { return }
      wake.wait(min(rest, Duration(milliseconds: 60_000)), by: clock)
    }
  }
}

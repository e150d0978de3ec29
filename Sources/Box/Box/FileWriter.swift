import Settings
import Synchronization
import System
import Units

/// Writes the newest of what it is given to a file, on a thread of its own: a slow card keeps nobody waiting. What
/// could not be written is tried again after ten seconds, and at the end.
final class FileWriter<Item: Sendable> {
  /// What is still to be written.
  private struct Wish {
    var item: Item?
    /// Grows with each item.
    var number = 0
    /// Whether the last try failed; only the first failure is logged.
    var hasFailed = false
  }

  /// What both threads know.
  private final class Desk: Sendable {
    let wish = Mutex(Wish())
    private let save: @Sendable (Item) throws(SettingsError) -> Void

    init(_ save: @escaping @Sendable (Item) throws(SettingsError) -> Void) { self.save = save }

    func take(_ item: Item) {
      wish.withLock { wish in
        wish.item = item
        wish.number += 1
      }
    }

    /// Writes what is to be written; after how long it is to be tried again.
    func work() -> Duration {
      while case (let item?, let number) = wish.withLock({ ($0.item, $0.number) }) {
        do throws(SettingsError) {
          try save(item)
        } catch {
          let hadFailed = wish.withLock { wish in
            defer { wish.hasFailed = true }
            return wish.hasFailed
          }
          if !hadFailed { log(.warning, error.description) }
          return Duration(milliseconds: 10_000)
        }
        wish.withLock { wish in
          if wish.number == number { wish.item = nil }
          wish.hasFailed = false
        }
      }
      return .forever
    }
  }

  private let desk: Desk
  /// Nil where the kernel gave none: then whoever gives writes.
  private let thread: Worker<Bool>?

  /// A thread of a name, which calls `save`.
  init(_ name: String, _ clock: Clock, _ save: @escaping @Sendable (Item) throws(SettingsError) -> Void) {
    let desk = Desk(save)
    self.desk = desk
    thread = Worker.make(name, clock) { _ in desk.work() }
  }

  /// Has something written; what was given before and is not yet written is forgotten.
  func give(_ item: Item) {
    desk.take(item)
    if let thread { thread.give(true) } else { _ = desk.work() }
  }

  /// Tries once more to write what is not yet written, and ends the thread; once.
  func finish() {
    guard let thread else { return _ = desk.work() }
    thread.give(true)
    thread.finish(within: Duration(milliseconds: 3_000))
  }
}

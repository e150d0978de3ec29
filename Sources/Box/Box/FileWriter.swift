import Settings
import System
import Units

/// Writes the newest of what it is given to a file, on a thread of its own (`BackgroundWriter`).
final class FileWriter<Item: Sendable> {
  /// What is still to be written, which both threads know.
  private final class Desk: Sendable {
    /// The number grows with each item.
    private let newest = Locked<(item: Item?, number: Int)>((nil, 0))
    private let save: @Sendable (Item) throws(SettingsError) -> Void

    init(_ save: @escaping @Sendable (Item) throws(SettingsError) -> Void) { self.save = save }

    func take(_ item: Item) { newest.withLock { $0 = (item, $0.number + 1) } }

    /// Writes what is to be written; whether something newer came meanwhile.
    func work() throws(SettingsError) -> Bool {
      guard case (let item?, let number) = newest.withLock({ $0 }) else { return false }
      try save(item)
      return newest.withLock { newest in
        if newest.number == number { newest.item = nil }
        return newest.item != nil
      }
    }
  }

  private let desk: Desk
  private let writer: BackgroundWriter

  /// A thread of a name, which calls `save`.
  init(_ name: String, _ clock: Clock, _ save: @escaping @Sendable (Item) throws(SettingsError) -> Void) {
    let desk = Desk(save)
    self.desk = desk
    writer = BackgroundWriter(name, clock) { () throws(SettingsError) in try desk.work() }
  }

  /// Has something written; what was given before and is not yet written is forgotten.
  func give(_ item: Item) {
    desk.take(item)
    writer.call()
  }

  /// Tries once more to write what is not yet written, and ends the thread; once.
  func finish() { writer.finish() }
}

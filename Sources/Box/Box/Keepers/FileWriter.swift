import Settings
import System

extension KeptFile {
  /// Reads the file, and logs the problem of a broken file. Nil if no usable file exists.
  func loadLogged() -> Content? {
    let (content, problem) = load()
    if let problem { log(.warning, problem.description) }
    return content
  }
}

/// Writes the newest submitted item to a file, on a separate thread (`BackgroundWriter`).
final class FileWriter<Item: Sendable> {
  private final class Mailbox: Sendable {
    /// The item to write and its number; a larger number shows that a newer item arrived during a write.
    private let newest = Locked<(item: Item?, number: Int)>((nil, 0))
    private let save: @Sendable (Item) throws(SettingsError) -> Void

    init(_ save: @escaping @Sendable (Item) throws(SettingsError) -> Void) { self.save = save }

    func submit(_ item: Item) { newest.withLock { $0 = (item, $0.number + 1) } }

    /// Writes the item. Returns true if a newer item arrived during the write.
    func writeNewest() throws(SettingsError) -> Bool {
      guard case (let item?, let number) = newest.withLock({ $0 }) else { return false }
      try save(item)
      return newest.withLock { newest in
        if newest.number == number { newest.item = nil }
        return newest.item != nil
      }
    }
  }

  private let mailbox: Mailbox
  private let writer: BackgroundWriter

  init(_ name: String, _ clock: Clock, _ save: @escaping @Sendable (Item) throws(SettingsError) -> Void) {
    let desk = Mailbox(save)
    self.mailbox = desk
    writer = BackgroundWriter(name, clock) { () throws(SettingsError) in try desk.writeNewest() }
  }

  func submit(_ item: Item) {
    mailbox.submit(item)
    writer.startWrite()
  }

  /// Writes the pending item, and ends the thread. Call once.
  func finish() { writer.finish() }
}

import Settings
import System
import Units

/// The owner's changes at run time. A separate thread writes the file, because a card may be slow. Control thread only.
final class OwnerKeeper {
  /// A change that waits to be written.
  private struct Order: Sendable {
    let change: OwnerChange
    /// The content of `stations.toml` at the time of the change.
    let base: [StationSettings]
    /// The box's state after the change; replaces an unreadable file.
    let result: OwnerSettings
  }

  /// State shared by the control thread and the writing thread.
  private final class Desk: Sendable {
    let file: OwnerFile
    let orders = Locked<[Order]>([])

    init(_ file: OwnerFile) { self.file = file }

    /// Writes the oldest change. Returns true if more are pending.
    ///
    /// A change that does not fit the file is skipped, because it would block the later changes.
    func work() throws(SettingsError) -> Bool {
      guard let order = orders.withLock({ $0.first }) else { return false }
      let told = try file.keep(order.change, over: order.base, else: order.result)
      if let told { log(.warning, told.description) }
      return orders.withLock { orders in
        orders.removeFirst()
        return !orders.isEmpty
      }
    }
  }

  private(set) var settings = OwnerSettings()
  var path: String { desk.file.path }
  private let desk: Desk
  private let writer: BackgroundWriter

  /// Further changes are refused while so many wait, for example on a full disk.
  private static let mostOrders = 100

  /// Reads the file in `folder`. An unreadable file is logged and set aside.
  init(folder: String, _ clock: Clock) {
    let desk = Desk(OwnerFile(folder: folder))
    self.desk = desk
    writer = BackgroundWriter("owner", clock) { () throws(SettingsError) in try desk.work() }
    do throws(SettingsErrors) {
      settings = try desk.file.load()
    } catch {
      log(.warning, salvage()?.description ?? error.description)
    }
  }

  /// Keeps the readable part of a damaged file and sets the file aside. Returns a message for the log.
  private func salvage() -> SettingsError? {
    let saved = desk.file.salvage()
    guard saved != settings else { return desk.file.setAside() }
    settings = saved
    do throws(SettingsError) { return try desk.file.replace(with: saved) } catch { return error }
  }

  /// Rereads the file; an unreadable file changes nothing.
  ///
  /// Pending changes are copied before reading. A change written in between is applied twice, which is harmless. Copied
  /// afterwards, such a change could be missed.
  func reload() {
    let orders = desk.orders.withLock { $0 }
    do throws(SettingsErrors) {
      var read = try desk.file.load()
      for order in orders { try? read.apply(order.change, over: order.base) }
      settings = read
    } catch {
      log(.error, "\(error.description)\nWhat the radio was told at run time stays as it was.")
    }
  }

  /// Applies a change at once and starts its write.
  ///
  /// - Throws: `SettingsError` if the change is invalid, or if too many changes wait for the disk.
  func change(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError) {
    var changed = settings
    try changed.apply(change, over: base)
    guard changed != settings else { return }
    let order = Order(change: change, base: base, result: changed)
    let isTaken = desk.orders.withLock { orders in
      guard orders.count < Self.mostOrders else { return false }
      orders.append(order)
      return true
    }
    guard isTaken else { throw desk.file.unwritten }
    settings = changed
    writer.call()
  }

  /// Writes all pending changes, retries a failed write, and ends the thread.
  func finish() { writer.finish() }
}

import Settings
import System

/// The owner's changes at run time. A separate thread writes the file, because a card may be slow. Control thread only.
final class OwnerKeeper {
  private struct Order: Sendable {
    let change: OwnerChange
    /// The content of `stations.toml` at the time of the change.
    let base: [StationSettings]
    /// The owner's settings after the change; they replace an unreadable file.
    let result: OwnerSettings
  }

  private final class OrderQueue: Sendable {
    let file: OwnerFile
    let orders = Locked<[Order]>([])

    init(_ file: OwnerFile) { self.file = file }

    /// Writes the oldest change. Returns true if more are pending. A change that does not fit the file is skipped,
    /// because it would block later changes.
    func writeOldest() throws(SettingsError) -> Bool {
      guard let order = orders.withLock({ $0.first }) else { return false }
      let told = try file.merge(order.change, over: order.base, else: order.result)
      if let told { log(.warning, told.description) }
      return orders.withLock { orders in
        orders.removeFirst()
        return !orders.isEmpty
      }
    }
  }

  private(set) var settings = OwnerSettings()
  /// True if the file was unreadable at the last start or reload.
  private(set) var isDamaged = false
  var path: String { queue.file.path }
  private let queue: OrderQueue
  private let writer: BackgroundWriter

  /// Maximum number of changes waiting for the disk; further changes are refused.
  private static let maxOrderCount = 100

  /// Reads the file in `folder`. An unreadable file is logged and renamed; its readable part is used.
  init(folder: String, _ clock: Clock) {
    let desk = OrderQueue(OwnerFile(folder: folder))
    self.queue = desk
    writer = BackgroundWriter("owner", clock) { () throws(SettingsError) in try desk.writeOldest() }
    do throws(SettingsErrors) {
      settings = try desk.file.load()
    } catch {
      isDamaged = true
      log(.warning, salvage()?.description ?? error.description)
    }
  }

  private func salvage() -> SettingsError? {
    let saved = queue.file.salvage()
    guard saved != settings else { return queue.file.setAside() }
    settings = saved
    do throws(SettingsError) { return try queue.file.replace(with: saved) } catch { return error }
  }

  /// Pending changes are copied before the file is read. A change applied twice is harmless, a missed change is not.
  func reload() {
    let orders = queue.orders.withLock { $0 }
    do throws(SettingsErrors) {
      var read = try queue.file.load()
      for order in orders { try? read.apply(order.change, over: order.base) }
      (settings, isDamaged) = (read, false)
    } catch {
      isDamaged = true
      log(.error, "\(error.description)\nSettings that were changed at run time stay as they were.")
    }
  }

  func change(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError) {
    var changed = settings
    try changed.apply(change, over: base)
    guard changed != settings else { return }
    let order = Order(change: change, base: base, result: changed)
    let isTaken = queue.orders.withLock { orders in
      guard orders.count < Self.maxOrderCount else { return false }
      orders.append(order)
      return true
    }
    guard isTaken else { throw queue.file.unwritten }
    settings = changed
    writer.startWrite()
  }

  func finish() { writer.finish() }
}

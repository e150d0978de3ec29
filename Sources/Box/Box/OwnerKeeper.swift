import Settings
import System
import Units

/// What the owner told the box at run time, and the thread that writes it: a slow card keeps nobody waiting.
final class OwnerKeeper {
  /// A change on its way to the disk.
  private struct Order: Sendable {
    let change: OwnerChange
    /// What `stations.toml` had then.
    let base: [StationSettings]
    /// What it made of the whole, for a file that cannot be read.
    let result: OwnerSettings
  }

  /// What both threads know.
  private final class Desk: Sendable {
    let file: OwnerFile
    let orders = Locked<[Order]>([])

    init(_ file: OwnerFile) { self.file = file }

    /// Writes the change that waits longest; whether more wait. A change that does not fit the file is left out, so
    /// that it does not block those behind it.
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

  /// What was told.
  private(set) var settings = OwnerSettings()
  /// The file that it lies in.
  var path: String { desk.file.path }
  private let desk: Desk
  private let writer: BackgroundWriter

  /// More are not taken while none can be written.
  private static let mostOrders = 100

  /// What lies in a folder. A file that cannot be read is set aside, and said.
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

  /// Keeps what can be read of a file that cannot be read whole, and sets that aside; a sentence about it.
  private func salvage() -> SettingsError? {
    let saved = desk.file.salvage()
    guard saved != settings else { return desk.file.setAside() }
    settings = saved
    do throws(SettingsError) { return try desk.file.replace(with: saved) } catch { return error }
  }

  /// Reads the file again; one that cannot be read changes nothing.
  ///
  /// What waits to be written is looked at first: what is written meanwhile is applied twice, which changes nothing
  /// more; looked at later it could be neither in the file nor waiting.
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

  /// Takes a change, which counts at once, and has it written.
  ///
  /// - Throws: `SettingsError` where it cannot be, or where nothing can be written.
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

  /// Tries once more to write what is not yet written, and ends the thread.
  func finish() { writer.finish() }
}

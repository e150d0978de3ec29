import Settings
import System
import Units

/// Counts failed starts. After two, restores the owner's last good values of settings that can end a start. Control
/// thread only.
final class StartKeeper {
  /// The keys of settings that were restored at this start.
  let restored: [String]
  private var record: StartRecord
  private let clock: Clock
  /// The time after which the start was successful; nil before the radio exists, `never` afterwards.
  private var end: MonotonicTime?
  private let disk: FileWriter<StartRecord>

  /// Uptime after which a start was successful.
  private static let trial = Duration(milliseconds: 60_000)

  /// Counts this start as failed until it has lasted a minute. Call before memory is reserved.
  init(folder: String, _ owner: any OwnerStore, _ clock: Clock) {
    let file = StartFile(folder: folder)
    disk = FileWriter("starts", clock) { record throws(SettingsError) in try file.save(record) }
    record = file.loadLogged() ?? StartRecord()
    restored = Self.restore(record, owner)
    record.failureCount = restored.isEmpty ? min(record.failureCount, 1_000) + 1 : 1
    self.clock = clock
    // Written at once, because the process may be killed before another thread has written.
    do throws(SettingsError) { try file.save(record) } catch { log(.warning, error.description) }
  }

  private static func restore(_ record: StartRecord, _ owner: any OwnerStore) -> [String] {
    record.repairs(of: owner.settings).compactMap { key, value in
      let words = value.map { "is \($0) again" } ?? "has the value of bakelite.toml again"
      do throws(SettingsError) { try owner.change(.set(key, value), over: []) } catch {
        log(.warning, error.description)
        return nil
      }
      log(.error, "The last \(record.failureCount) starts ended within a minute, so \(key) \(words).")
      return key
    }
  }

  var due: MonotonicTime { end ?? .never }

  /// Starts the minute of the trial, because the radio exists.
  func begin() { end = end ?? clock.now() + Self.trial }

  /// Records a successful start after a minute.
  func confirm(_ settings: OwnerSettings, at now: MonotonicTime) {
    guard let end, now >= end else { return }
    self.end = .never
    (record.failureCount, record.good) = (0, settings.values)
    disk.submit(record)
  }

  /// Records an orderly end of a box with a radio; the start then counts as good.
  func finish() {
    if let end, end != .never {
      record.failureCount = 0
      disk.submit(record)
    }
    disk.finish()
  }
}

import RadioEngine
import Units

/// Releases the sound device for other programs, and reacquires the device after the last lease. Control thread only.
public final class DeviceControl {
  private let engine: any PlaybackEngine
  private(set) var leases = SoundLeases()
  private var hasChanged = false

  init(_ engine: any PlaybackEngine) { self.engine = engine }

  var isSuspended: Bool { engine.isSuspended || !leases.isEmpty }

  var isLettingGo: Bool { engine.isLettingGo }

  /// The name of the program with the newest lease, "" if unnamed; nil if there is no lease.
  public var guest: String? { leases.leases.last.map { $0.name ?? "" } }

  /// Adds a lease; the radio plays its buffered output and releases the device. Returns false if there are too many
  /// leases.
  func lend(to name: String?, for length: Duration, at now: MonotonicTime) -> Bool {
    guard leases.lend(to: name, for: length, at: now) else { return false }
    engine.suspend()
    hasChanged = true
    return true
  }

  func end(of name: String) { change { $0.end(of: name) } }

  /// Ends all leases. The radio reacquires the device when no program uses it, and resumes.
  public func endAllLeases() { change { $0.endAll() } }

  func expire(at now: MonotonicTime) { change { $0.expire(at: now) } }

  func adoptLeases(_ other: DeviceControl) {
    guard other !== self, !other.leases.isEmpty else { return }
    (leases, other.leases) = (other.leases, SoundLeases())
    engine.suspend()
    hasChanged = true
  }

  private func change(_ work: (inout SoundLeases) -> Void) {
    let before = leases
    work(&leases)
    guard leases != before else { return }
    if leases.isEmpty { engine.endSuspension() }
    hasChanged = true
  }

  func removeChanges() -> Set<Subsystem> {
    defer { hasChanged = false }
    return hasChanged ? [.player] : []
  }
}

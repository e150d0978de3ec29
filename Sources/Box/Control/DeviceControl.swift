import RadioEngine
import Units

/// Lets go of the sound device for other programs, and takes it again when all of them are done. The control thread's.
public final class DeviceControl {
  private let engine: any PlaybackEngine
  private var leases = SoundLeases()
  private var hasChanged = false

  init(_ engine: any PlaybackEngine) { self.engine = engine }

  /// Whether somebody else has the device, or is to have it, or it is missing.
  var isSuspended: Bool { engine.isSuspended || !leases.isEmpty }

  /// Whether the device is about to be let go of.
  var isLettingGo: Bool { engine.isLettingGo }

  /// What the program that asked for the sound last is called, "" where it told no name; nil while the sound is the
  /// radio's.
  public var guest: String? { leases.leases.last.map { $0.name ?? "" } }

  /// When the sound comes back by itself; nil while it is the radio's.
  var end: MonotonicTime? { leases.end }

  /// Lets go of the device as soon as it has played what it has, until the lease and all others are over. False where
  /// there are too many.
  func lend(to name: String?, for length: Duration, at now: MonotonicTime) -> Bool {
    guard leases.lend(to: name, for: length, at: now) else { return false }
    engine.suspend()
    hasChanged = true
    return true
  }

  /// Ends the lease of a program.
  func end(of name: String) { change { $0.end(of: name) } }

  /// Ends the leases of all programs: the device is taken again, and what played goes on. Where a program still has the
  /// device, the radio waits for it.
  public func takeBack() { change { $0.endAll() } }

  /// Ends the leases whose time is over.
  func expire(at now: MonotonicTime) { change { $0.expire(at: now) } }

  /// Takes over the leases of the radio that was there before.
  func succeed(_ other: DeviceControl) {
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

  /// What changed since the last call.
  func takeChanges() -> Set<Subsystem> {
    defer { hasChanged = false }
    return hasChanged ? [.player] : []
  }
}

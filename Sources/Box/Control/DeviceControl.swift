import RadioEngine

/// Lets go of the sound device for another program, and takes it again. The control thread's.
final class DeviceControl {
  private let engine: any PlaybackEngine
  private var hasChanged = false

  init(_ engine: any PlaybackEngine) { self.engine = engine }

  /// Whether somebody else has the device, or is to have it.
  var isSuspended: Bool { engine.isSuspended }

  /// Whether the device is about to be let go of.
  var isLettingGo: Bool { engine.isLettingGo }

  /// Lets go of the device until `endSuspension` (`Radio.suspend`), as soon as it has played what it has.
  func suspend() {
    engine.suspend()
    hasChanged = true
  }

  /// Takes it again, and goes on with what played.
  func endSuspension() {
    engine.endSuspension()
    hasChanged = true
  }

  /// What changed since the last call.
  func takeChanges() -> Set<Subsystem> {
    defer { hasChanged = false }
    return hasChanged ? [.player] : []
  }
}

import Units

/// The volume, whether the sound is muted, and who makes it so loud. The control thread's.
public final class VolumeControl {
  /// 0 … 100, as it was set; nothing is heard of it where `isMuted`.
  public private(set) var percent = 100
  /// Whether the sound is turned off.
  public private(set) var isMuted = false
  private var setVolume: ((_ percent: Int, _ isMuted: Bool) -> Void)?
  private var setGain: ((_ decibels: Double) -> Void)?
  private var changes: Set<Subsystem> = []

  /// A volume that nobody can set yet.
  public init() {}

  /// Says who makes the sound so loud, a mixer or the radio's own gain: `volume` is given 0 … 100 and whether it is
  /// muted, `gain` the dB by which everything is louder or quieter.
  public func connect(volume: @escaping (_ percent: Int, _ isMuted: Bool) -> Void, gain: ((Double) -> Void)? = nil) {
    (setVolume, setGain) = (volume, gain)
  }

  /// Whether somebody can set it.
  var canTurn: Bool { setVolume != nil }

  /// The volume; nil where nobody can set it.
  var setting: Int? { canTurn ? percent : nil }

  /// Sets the volume, clamped to 0 … 100, and ends muting; false where nobody can.
  @discardableResult
  public func turn(to percent: Int) -> Bool { set(max(0, min(100, percent)), isMuted: false) }

  /// Turns the volume up, or down; false where nobody can.
  @discardableResult
  public func turn(by percent: Int) -> Bool { turn(to: self.percent + max(-100, min(100, percent))) }

  /// Turns the sound off, or on again; false where nobody can.
  @discardableResult
  public func mute(_ isMuted: Bool) -> Bool { set(percent, isMuted: isMuted) }

  /// Makes everything so many dB louder or quieter, -60 … 12; false where nobody can.
  @discardableResult
  func turnGain(to decibels: Double) -> Bool {
    guard let setGain else { return false }
    setGain(Limits.gain.nearest(to: decibels))
    return true
  }

  /// The volume is so by now, 0 … 100, though nobody set it here; who makes the sound is not told.
  public func follow(_ percent: Int, isMuted: Bool) {
    if isMuted != self.isMuted { changes.insert(.output) }
    if percent != self.percent || isMuted != self.isMuted { changes.insert(.mixer) }
    (self.percent, self.isMuted) = (percent, isMuted)
  }

  /// What changed since the last call.
  func takeChanges() -> Set<Subsystem> {
    defer { changes = [] }
    return changes
  }

  private func set(_ percent: Int, isMuted mutes: Bool) -> Bool {
    guard let setVolume else { return false }
    if mutes != isMuted { changes.insert(.output) }
    if percent != self.percent || mutes != isMuted { changes.insert(.mixer) }
    (self.percent, isMuted) = (percent, mutes)
    setVolume(percent, mutes)
    return true
  }
}

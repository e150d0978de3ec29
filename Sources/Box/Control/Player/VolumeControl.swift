import Units

/// The volume, the mute state, and the function that applies them. Control thread only.
public final class VolumeControl {
  /// The set volume, 0 … 100; without effect while `isMuted`.
  public private(set) var percent = 100
  /// True if muted.
  public private(set) var isMuted = false
  private var setVolume: ((_ percent: Int, _ isMuted: Bool) -> Void)?
  private var setGain: ((_ decibels: Double) -> Void)?
  private var changes: Set<Subsystem> = []

  /// Creates a volume without an output.
  public init() {}

  /// Sets the output: a mixer, or the radio's own gain. `volume` receives 0 … 100 and the mute state; `gain` receives
  /// the extra dB.
  public func connect(volume: @escaping (_ percent: Int, _ isMuted: Bool) -> Void, gain: ((Double) -> Void)? = nil) {
    (setVolume, setGain) = (volume, gain)
  }

  /// The volume; nil without an output.
  var setting: Int? { setVolume == nil ? nil : percent }

  /// Sets the volume, clamped to 0 … 100, and unmutes. Returns false without an output.
  @discardableResult
  public func turn(to percent: Int) -> Bool { set(max(0, min(100, percent)), isMuted: false) }

  /// Changes the volume by percent, and unmutes. Returns false without an output.
  @discardableResult
  public func turn(by percent: Int) -> Bool { turn(to: self.percent + max(-100, min(100, percent))) }

  /// Mutes or unmutes. Returns false without an output.
  @discardableResult
  public func mute(_ isMuted: Bool) -> Bool { set(percent, isMuted: isMuted) }

  /// Sets the extra gain in dB, -60 … 12. Returns false if the output has no gain.
  @discardableResult
  package func turnGain(to decibels: Double) -> Bool {
    guard let setGain else { return false }
    setGain(Limits.gain.nearest(to: decibels))
    return true
  }

  /// Records a volume of 0 … 100 that another program changed; does not set the output.
  public func follow(_ percent: Int, isMuted: Bool) {
    if isMuted != self.isMuted { changes.insert(.output) }
    if percent != self.percent || isMuted != self.isMuted { changes.insert(.mixer) }
    (self.percent, self.isMuted) = (percent, isMuted)
  }

  func removeChanges() -> Set<Subsystem> {
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

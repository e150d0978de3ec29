import Units

/// What was done to a control of an input device.
public struct EvdevEvent: Equatable, Sendable {
  /// What was done.
  public enum Change: Equatable, Sendable {
    /// A button went down.
    case pressed
    /// A button came up again.
    case released
    /// A knob was turned by so many steps, clockwise above 0.
    case turned(Int)
  }

  /// The control, as the key map calls it.
  public var control: String
  /// What was done to it.
  public var change: Change
  /// When, by the kernel.
  public var time: MonotonicTime

  /// An event.
  public init(control: String, change: Change, time: MonotonicTime) {
    self.control = control
    self.change = change
    self.time = time
  }
}

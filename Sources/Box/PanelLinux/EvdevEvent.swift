import Units

/// An event of a control on an input device.
public struct EvdevEvent: Equatable, Sendable {
  /// The kind of event.
  public enum Change: Equatable, Sendable {
    case pressed
    case released
    /// A knob was turned by steps, positive clockwise.
    case turned(Int)
  }

  /// The control's name in the key map.
  public var control: String
  /// The kind of event.
  public var change: Change
  /// The kernel's time stamp.
  public var time: MonotonicTime
}

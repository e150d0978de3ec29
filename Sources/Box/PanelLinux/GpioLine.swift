import CGpiod
import Units

/// A GPIO line as a board file describes it.
public struct GpioLine: Hashable, Sendable {
  /// The resistor inside the chip.
  public enum Pull: Sendable {
    case asIs
    case up
    case down
    case none
  }

  /// The line's number on its chip.
  public var offset: UInt32
  /// The chip's label ("pinctrl-bcm2711"), name ("gpiochip0") or path.
  public var chip: String
  /// The resistor inside the chip.
  public var pull: Pull
  /// True if a low voltage means active, as with a button to ground.
  public var isActiveLow: Bool
  /// Minimum duration of a level before the kernel reports it; 0 for at once. See `GpioLines.debounces`.
  public var debounce: Duration

  /// Creates a line; the default is a pull-up, active low.
  public init(
    _ offset: UInt32, chip: String, pull: Pull = .up, isActiveLow: Bool = true, debounce: Duration = .zero
  ) {
    self.offset = offset
    self.chip = chip
    self.pull = pull
    self.isActiveLow = isActiveLow
    self.debounce = debounce
  }

  var request: bk_gpio_line {
    let pull =
      switch pull {
      case .asIs: BK_PULL_AS_IS
      case .up: BK_PULL_UP
      case .down: BK_PULL_DOWN
      case .none: BK_PULL_NONE
      }
    let microseconds = max(0, min(1_000_000, debounce.nanoseconds / 1000))
    return bk_gpio_line(
      offset: offset, is_active_low: isActiveLow, pull: pull, debounce_us: UInt32(microseconds))
  }
}

/// A change of a line's level.
public struct GpioEdge: Equatable, Sendable {
  /// The line's position among the requested lines.
  public var line: Int
  /// True if the line is now active.
  public var isActive: Bool
  /// The kernel's time stamp.
  public var time: MonotonicTime
}

import CGpiod
import Units

/// A GPIO line as a board asks for it.
public struct GpioLine: Hashable, Sendable {
  /// How the line is found.
  public enum Identifier: Hashable, Sendable {
    /// By its own name ("GPIO17"), whichever chip has it.
    case name(String)
    /// By its number on a chip, which is told by label ("pinctrl-bcm2711"), name ("gpiochip0") or path.
    case offset(UInt32, chip: String)
  }

  /// What the resistor inside the chip does.
  public enum Pull: Sendable {
    /// As it was.
    case asIs
    /// To the supply.
    case up
    /// To ground.
    case down
    /// Nothing.
    case none
  }

  /// How the line is found.
  public var identifier: Identifier
  /// What the resistor inside the chip does.
  public var pull: Pull
  /// Whether a low voltage means active, as with a button to ground.
  public var isActiveLow: Bool
  /// For how long a level has to last before the kernel tells it; 0 for at once. See `GpioLines.debounces`.
  public var debounce: Duration

  /// A line, which has a resistor to the supply and is active when low unless told otherwise.
  public init(_ identifier: Identifier, pull: Pull = .up, isActiveLow: Bool = true, debounce: Duration = .zero) {
    self.identifier = identifier
    self.pull = pull
    self.isActiveLow = isActiveLow
    self.debounce = debounce
  }

  /// The same for the table, once its offset is known.
  func request(offset: UInt32) -> bk_gpio_line {
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

/// A line became active, or not.
public struct GpioEdge: Equatable, Sendable {
  /// Its place among the lines that were asked for.
  public var line: Int
  /// Whether it is active now.
  public var isActive: Bool
  /// When, by the kernel.
  public var time: MonotonicTime

  /// An edge.
  public init(line: Int, isActive: Bool, time: MonotonicTime) {
    self.line = line
    self.isActive = isActive
    self.time = time
  }
}

import Synchronization

/// A numbered order of the control thread to the render thread (`StatusBoard.renderOrder`).
///
/// The render thread stores the order that it applies in `StatusBoard.renderObeyed`. Until then, the reported state may
/// belong to an earlier order.
public struct RenderOrder: RawRepresentable, Equatable, BitwiseCopyable, Sendable, AtomicRepresentable {
  /// An order's command.
  public enum Command: UInt32, Sendable {
    /// Leave the sink unused, so that its format can change.
    case park = 0
    /// Play.
    case run = 1
    /// Fade out, wait until the card's buffer has played, and end.
    case quit = 2
  }

  /// The order's number in the upper 30 bits, the command in the lower two.
  public let rawValue: UInt32

  /// Creates an order from its bits.
  @_noLocks @_noAllocation
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The first order: parked.
  public static var initial: RenderOrder { RenderOrder(rawValue: Command.park.rawValue) }

  /// Returns a new order with the next number.
  public func next(_ command: Command) -> RenderOrder {
    RenderOrder(rawValue: (rawValue >> 2 &+ 1) << 2 | command.rawValue)
  }

  /// Returns the command; an invalid one means park.
  @_noLocks @_noAllocation
  public func command() -> Command {
    let command = rawValue & 3
    if command == Command.run.rawValue { return .run }
    return command == Command.quit.rawValue ? .quit : .park
  }
}

/// The render thread's state (`StatusBoard.renderState`).
public enum RenderState: UInt8, Sendable, AtomicRepresentable {
  /// The sink is unused.
  case parked = 0
  /// The period ring is empty and the thread rests; a raised flag wakes it.
  case idle
  /// The programme plays.
  case playing
  /// The period ring ran empty; the sink receives silence for a moment.
  case silent
  /// The next period has another rate, so the sink needs a new format.
  case needsFormat
  /// Playback is paused, and the card's buffer is empty.
  case paused
  /// The card or pipe failed for good; the unplayed frames count as unheard.
  case lost
  /// Audio is ready, but a pipe's reader consumes nothing.
  case standing
}

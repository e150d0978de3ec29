import Synchronization

/// A numbered order of the control thread to the render thread (`StatusBoard.renderOrder`).
///
/// The render thread repeats the order in `StatusBoard.renderObeyed`: a state that it reported earlier says nothing
/// about a newer order.
public struct RenderOrder: RawRepresentable, Equatable, BitwiseCopyable, Sendable, AtomicRepresentable {
  /// An order's command.
  public enum Command: UInt32, Sendable {
    /// Leave the sink unused, so that its format can change.
    case park = 0
    /// Play.
    case run = 1
    /// Mute and end.
    case quit = 2
  }

  /// The order's number in the upper 30 bits, the command in the lower two.
  public let rawValue: UInt32

  /// Creates an order from its bits.
  @_noLocks @_noAllocation
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The first order: parked.
  public static var initial: RenderOrder { RenderOrder(rawValue: Command.park.rawValue) }

  /// Returns the order after this one.
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
  /// Nothing is queued; a raised flag wakes the thread.
  case idle
  /// Programme plays.
  case playing
  /// Programme has just ended; the sink receives silence.
  case silent
  /// The next period has another rate, so the sink needs a new format.
  case needsFormat
  /// Playback is paused, and the card's buffer is empty.
  case paused
  /// The card failed for good; its unplayed frames count as unheard.
  case lost
  /// Programme is queued, but a pipe's reader consumes nothing.
  case standing
}

import Synchronization

/// What the control thread orders the render thread to do, and the number of the order (`StatusBoard.renderOrder`).
///
/// The render thread repeats the order that it obeys (`StatusBoard.renderObeyed`): what it told of its state before it
/// saw an order says nothing about that order.
public struct RenderOrder: RawRepresentable, Equatable, BitwiseCopyable, Sendable, AtomicRepresentable {
  /// What is to be done.
  public enum Command: UInt32, Sendable {
    /// Leave the sink alone, so that it can be set anew.
    case park = 0
    /// Play what comes.
    case run = 1
    /// Fall silent and end.
    case quit = 2
  }

  /// The order's number in the upper 30 bits, the command in the lower two.
  public let rawValue: UInt32

  /// An order of its bits.
  @_noLocks @_noAllocation
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// What the thread begins with: it is parked.
  public static var initial: RenderOrder { RenderOrder(rawValue: Command.park.rawValue) }

  /// The order that follows this one.
  public func next(_ command: Command) -> RenderOrder {
    RenderOrder(rawValue: (rawValue >> 2 &+ 1) << 2 | command.rawValue)
  }

  /// What is to be done; what is no command parks.
  @_noLocks @_noAllocation
  public func command() -> Command {
    let command = rawValue & 3
    if command == Command.run.rawValue { return .run }
    return command == Command.quit.rawValue ? .quit : .park
  }
}

/// What the render thread does (`StatusBoard.renderState`).
public enum RenderState: UInt8, Sendable, AtomicRepresentable {
  /// It leaves the sink alone.
  case parked = 0
  /// It has nothing to play; a raised wake-up flag calls it.
  case idle
  /// Programme sounds.
  case playing
  /// Programme sounded a moment ago; silence goes to the sink.
  case silent
  /// What comes next has another rate: the sink must be set anew.
  case needsFormat
  /// The listener paused, and the card has played out.
  case paused
  /// The card failed for good: what it had not played is told to be unheard, and nothing sounds.
  case lost
  /// Programme waits for a pipe's reader, who takes nothing.
  case standing
}

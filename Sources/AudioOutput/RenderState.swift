/// What the control thread orders the render thread to do (`StatusBoard.renderOrder`).
///
/// Orders are numbered, and the render thread repeats the number of the one that it obeys (`StatusBoard.renderObeyed`):
/// what it told of its state before it saw an order says nothing about that order.
public enum RenderOrder: UInt32, Sendable {
  /// Leave the sink alone, so that it can be set anew.
  case park = 0
  /// Play what comes.
  case run = 1
  /// Fall silent and end.
  case quit = 2
}

/// What the render thread does (`StatusBoard.renderState`).
public enum RenderState: UInt32, Sendable {
  /// It leaves the sink alone.
  case parked = 0
  /// It has nothing to play; a raised wake-up flag calls it.
  case idle = 1
  /// Programme sounds.
  case playing = 2
  /// Programme sounded a moment ago; silence goes to the sink.
  case silent = 3
  /// What comes next has another rate: the sink must be set anew.
  case needsFormat = 4
  /// The listener paused, and the card has played out.
  case paused = 5
  /// The card failed for good: what it had not played is told to be unheard, and nothing sounds.
  case lost = 6
  /// Programme waits for a pipe's reader, who takes nothing.
  case standing = 7
}

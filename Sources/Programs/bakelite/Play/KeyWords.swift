import Recordings

/// A text about the effect of a key.
enum KeyWords {
  /// A new state, or several lines; shown in the live line for a moment if it is one line.
  case state(String)
  /// The reason why a key had no effect; shown as its own line, because a live line may be too short.
  case reason(String)

  init(_ error: RecordingError) { self = .reason("\(error)") }
}

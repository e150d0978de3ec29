/// The rate at which streams are compared, and the sizes that follow.
enum LowRate {
  /// Samples per second. The fundamental tones of speech and music lie below half of this rate.
  static let hertz = 2_000
  /// Maximum length of a stream: 30 s.
  static let capacity = 30 * hertz
  /// Samples of a window: about half a second.
  static let window = 1_024
  /// Maximum number of windows in a stream.
  static let maxWindows = capacity / window
}

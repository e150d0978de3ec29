/// The ranges of what can be set: settings, commands, panel and command line hold to these.
public enum Limits {
  /// Loudness, 0 dB being as sent.
  public static let gain = -60.0...12.0
  /// The bit rate that an HLS station's variant may be held to, in kbit/s.
  public static let kilobitRate = 8...10_000
  /// So much later titles beside the stream are shown, in seconds.
  public static let titleDelay = -3_600.0...3_600.0
  /// Blocks of 5,120 bytes that hold the programme.
  public static let blockCount = 16...400_000
  /// What a snapserver holds before it is heard, in milliseconds.
  public static let snapcastMilliseconds = 20...20_000
  /// What is held before sound begins, in seconds.
  public static let wait = 0.1...3_600.0
  /// What of a file comes at full speed at least, in seconds.
  public static let throttleBypass = 0.0...3_600.0
  /// What is left held at live, in seconds.
  public static let liveSafety = 0.0...3_600.0

  /// A program that asks for the sound may have it for so long, in seconds.
  public static let leaseSeconds = 1...86_400

  /// The copy of the station directory is fetched anew after so many days; 0: never by itself.
  public static let directoryUpdateDays = 0...365
  /// A preset that fails for so many days is looked up in the directory.
  public static let relocateAfterDays = 1...365

  /// A long title moves by a character in so many milliseconds.
  public static let scrollMilliseconds = 100...5_000
  /// A click of the knob, in percent.
  public static let volumeStep = 1...20
  /// A click of the knob in time, in seconds.
  public static let scrubStep = 1...600
}

extension ClosedRange {
  /// The value of the range that is nearest to another.
  public func nearest(to value: Bound) -> Bound { Swift.min(upperBound, Swift.max(lowerBound, value)) }
}

/// The valid ranges of settings, commands, panel and command line.
public enum Limits {
  /// The gain in dB; 0 leaves the signal unchanged.
  public static let gain = -60.0...12.0
  /// The maximum bit rate of HLS variants, in kbit/s.
  public static let kilobitRate = 8...10_000
  /// The delay of titles from outside the stream, in seconds.
  public static let titleDelay = -3_600.0...3_600.0
  /// Blocks of 5,120 bytes in the ring.
  public static let blockCount = 16...400_000
  /// Stations received in advance. Each borrows up to an eighth of the blocks.
  public static let prefetchNeighbours = 0...4
  /// Minimum number of blocks for stations received in advance.
  public static let prefetchBlockCount = 192
  /// The `buffer` of a snapserver: delay from its input to the rooms, in milliseconds.
  public static let snapcastMilliseconds = 20...20_000
  /// The target buffer of a live station, or a file's buffer before playback, in seconds.
  public static let wait = 0.1...3_600.0
  /// The minimum audio of a file that is received at full speed, in seconds.
  public static let throttleBypass = 0.0...3_600.0
  /// The buffer that stays after a return to live, in seconds; 0 for the target buffer.
  public static let liveSafety = 0.0...3_600.0

  /// Silence before each next step of the fallback chain, in seconds.
  public static let fallbackAfter = 1.0...3_600.0

  /// Steady audio of the station before the return from a fallback, in seconds.
  public static let returnAfter = 1.0...1_800.0

  /// The level of dead air, in dBFS.
  public static let deadAirDecibels = -90.0 ... -20.0
  /// The duration of dead air, in seconds; 0 to detect none.
  public static let deadAirSeconds = 0.0...3_600.0

  /// The lease of the sound device for another program, in seconds.
  public static let leaseSeconds = 1...86_400

  /// Days between two updates of the station directory; 0 disables updates.
  public static let directoryUpdateDays = 0...365
  /// Days of failure before the directory is searched for a preset.
  public static let relocateAfterDays = 1...365

  /// The time per character of a scrolling title, in milliseconds.
  public static let scrollMilliseconds = 100...5_000
  /// The volume change per detent, in percent.
  public static let volumeStep = 1...20
  /// The seek distance per detent, in seconds.
  public static let scrubStep = 1...600
}

extension ClosedRange {
  /// Returns the nearest value inside the range.
  public func nearest(to value: Bound) -> Bound { Swift.min(upperBound, Swift.max(lowerBound, value)) }
}

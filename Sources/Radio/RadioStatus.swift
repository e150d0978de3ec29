import Blocks
import Units

/// What the radio does (R1.9).
public enum RadioState: String, Sendable {
  case stopped, connecting, buffering, playing, paused
}

/// The radio at one moment.
public struct RadioStatus: Sendable {
  /// What it does.
  public var state: RadioState
  /// Whether sound comes, from what is held if need be; true while it is paused.
  public var isAudioPlaying: Bool
  /// The station's name, or its address.
  public var station: String
  /// The title that is heard.
  public var title: Title?
  /// What is heard, in seconds of the programme's own time.
  public var position: Double
  /// Seconds that the listener is behind where he would be had he never paused or gone back; zero at live.
  public var timeShift: Double
  /// Seconds held and not yet heard.
  public var held: Double
  /// Seconds that the blocks hold at this bit rate; nil while that is unknown.
  public var capacity: Double?
  /// The blocks.
  public var blocks: BlockStatistics
  /// Seconds of the programme heard.
  public var heard: Double
  /// Where in the station's bytes the sound is.
  public var byteOffset: Int
  /// Measured, in bit/s; nil while unknown.
  public var measuredBitRate: BitRate?
  /// Periods that came too late.
  public var underruns: Int
}

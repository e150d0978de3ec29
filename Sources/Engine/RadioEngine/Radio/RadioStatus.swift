import Blocks
import Framing
import Network
import Recordings
import Units

/// A snapshot of a radio.
public struct RadioStatus: Sendable {
  /// The state.
  public var state = RadioState.stopped
  /// The reason for the stop: `user` after an order, `error` if the radio gave up. Nil if not stopped, and before the
  /// first stop.
  public var stopReason: Event.StopReason?
  /// True if audio plays, also from the buffer without a connection; also true during a pause.
  public var isAudioPlaying = false
  /// The station's name, or its address; a file's title in its list, or its name.
  public var station = ""
  /// The server's facts about the station; nil before the response.
  public var facts: StationFacts?
  /// The codec, such as "MP3"; nil before the first audio.
  public var codec: String?
  /// The audible title.
  public var title: Title?
  /// The audible ad that the station announced; nil outside ads.
  public var adBreak: AdBreak?
  /// Number of the current or next connection attempt; 0 while connected.
  public var attempt = 0
  /// True if the connection was closed because of a long pause.
  public var isResting = false
  /// The audible position in seconds, from the start of the programme or file.
  public var position = 0.0
  /// Length of a file in seconds; nil for a live station, and while unknown.
  public var duration: Double?
  /// True if any position of a file can be reached (`isFileSeekAllowed`).
  public var isFileSeekAllowed = false
  /// True if the listener can go back by at least a second (`isRewindAllowed`).
  public var isRewindAllowed = false
  /// True if the listener can go forward by at least a second (`isFastForwardAllowed`).
  public var isFastForwardAllowed = false
  /// Seconds behind live that the listener caused by pauses and rewinds; zero at live.
  public var timeShift = 0.0
  /// Buffered and unplayed seconds.
  public var held = 0.0
  /// Buffered and played seconds, of this file if it is a file.
  public var heldBehind = 0.0
  /// Capacity of the blocks in seconds at this bit rate; nil if unknown.
  public var capacity: Double?
  /// The state of the blocks.
  public var blocks = BlockStatistics.empty
  /// Seconds of the programme played.
  public var heard = 0.0
  /// The audible position in the station's bytes.
  public var byteOffset = 0
  /// Measured bit rate; nil if unknown.
  public var measuredBitRate: BitRate?
  /// Number of underruns: periods that came too late.
  public var underruns = 0
  /// Number of xruns of the card.
  public var xruns = 0
  /// Number of rescues: times that buffered audio had to be started by force.
  public var rescues = 0
  /// Seconds of the programme known to be lost.
  public var lost = 0.0
  /// Notices dropped between the radio's threads since its creation: titles, if a station sends too many.
  public var missedNotices = 0
  /// The server's window of an endless HLS station, on the scale of `position`; nil for any other programme.
  public var window: ProgrammeWindow?
  /// The address from which a second connection receives the station in parallel; nil without one.
  public var secondSource: String?
  /// The change to a lower bit rate because of a slow line; nil while the best source plays.
  public var lowerRate: LowerRate?
  /// Broadcast time of the audible audio, in seconds since 1970 (UTC), if an HLS station sends times; else nil.
  public var onAir: Int64?
  /// The running recording; nil without one.
  public var recording: Recording?
  /// The podcast or list of files that the audible file belongs to; nil without one.
  public var list: FileList?
  /// The position of the audible item in that list.
  public var item: Int?

  /// Creates a stopped radio that was never tuned.
  public init() {}
}

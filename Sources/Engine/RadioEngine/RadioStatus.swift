import Blocks
import Network
import Units

/// What the radio does (R1.9).
public enum RadioState: String, Sendable {
  case stopped, connecting, buffering, playing, paused
}

/// The radio at one moment.
public struct RadioStatus: Sendable {
  /// What it does.
  public var state = RadioState.stopped
  /// Whether sound comes, from what is held if need be; true while it is paused.
  public var isAudioPlaying = false
  /// The station's name, or its address; a file's title in its list, or its name.
  public var station = ""
  /// What the server told about the station; nil before it answered.
  public var facts: StationFacts?
  /// What is played, such as "MP3"; nil before the first sound.
  public var codec: String?
  /// The title that is heard.
  public var title: Title?
  /// The try that is on, or waited for; 0 while the connection stands.
  public var attempt = 0
  /// Whether the connection was closed because nobody listens.
  public var isResting = false
  /// What is heard, in seconds of the programme's own time, or the file's.
  public var position = 0.0
  /// How long a file sounds, in seconds; nil for a live station, and while it is not known.
  public var duration: Double?
  /// Whether any place of a file can be gone to (`isFileSeekAllowed`).
  public var isFileSeekAllowed = false
  /// Whether the listener can go back by a second or more (`isRewindAllowed`).
  public var isRewindAllowed = false
  /// Whether the listener can go on by a second or more (`isFastForwardAllowed`).
  public var isFastForwardAllowed = false
  /// Seconds that the listener is behind where he would be had he never paused or gone back; zero at live.
  public var timeShift = 0.0
  /// Seconds held and not yet heard.
  public var held = 0.0
  /// Seconds held and already heard, of this file where it is one.
  public var heldBehind = 0.0
  /// Seconds that the blocks hold at this bit rate; nil while that is unknown.
  public var capacity: Double?
  /// The blocks.
  public var blocks = BlockStatistics.empty
  /// Seconds of the programme heard.
  public var heard = 0.0
  /// Where in the station's bytes the sound is.
  public var byteOffset = 0
  /// Measured, in bit/s; nil while unknown.
  public var measuredBitRate: BitRate?
  /// Periods that came too late.
  public var underruns = 0
  /// Times that the card ran dry.
  public var xruns = 0
  /// Times that held sound had to be made heard.
  public var rescues = 0
  /// Seconds of programme known to be lost.
  public var lost = 0.0
  /// Notices between the radio's threads that found no room since it was made: titles, where a station sends too many.
  public var missedNotices = 0
  /// What of an HLS station that has no end its server has, in the time of `position`; nil for anything else.
  public var window: ProgrammeWindow?
  /// When what is heard was on the air, in seconds since 1970 (UTC), where an HLS station tells the time; else nil.
  public var onAir: Int64?
  /// What is being recorded; nil where nothing is.
  public var recording: Recording?
  /// The podcast, or the list of files, that what is heard is of; nil where it is of none.
  public var list: FileList?
  /// Which of its items that is.
  public var item: Int?

  /// A radio that is stopped, and was never tuned.
  public init() {}
}

extension RadioStatus {
  /// A radio at this moment, and what it plays.
  init(_ radio: Radio, _ playback: Playback) {
    let (engine, look, programme) = (radio.engine, playback.look, playback.programme)
    let (blocks, position) = (engine.blocks, playback.transport.position(look))
    self.init()
    (state, isAudioPlaying, station) = (radio.state, radio.isAudioPlaying, playback.name)
    (facts, codec, title, attempt) = (programme.facts, programme.codec, programme.titles.current, programme.attempt)
    isResting = playback.transport.isResting
    (self.position, duration) = (max(0, (position - look.base).seconds), radio.duration)
    isFileSeekAllowed = look.isFileSeekAllowed
    (isRewindAllowed, isFastForwardAllowed) = (radio.isRewindAllowed(1), radio.isFastForwardAllowed(1))
    (timeShift, held) = (playback.transport.timeShift(look), playback.transport.held(look).seconds)
    heldBehind = max(0, (position - max(look.base, look.oldestToHear)).seconds)
    window = look.window
    onAir = look.window?.date(of: position)
    (self.blocks, capacity, measuredBitRate) = (blocks, blocks.capacity?.seconds, blocks.bitRate)
    (heard, byteOffset) = (playback.heardSeconds, engine.byteOffset)
    (underruns, xruns, missedNotices) = (engine.underruns, engine.xruns, engine.missedNotices)
    (rescues, lost) = (radio.summary.rescues, radio.summary.lost)
    (recording, list, item) = (radio.recording, playback.items.queue.shownList, radio.item)
  }
}

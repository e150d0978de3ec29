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
  public var state: RadioState
  /// Whether sound comes, from what is held if need be; true while it is paused.
  public var isAudioPlaying: Bool
  /// The station's name, or its address; a file's title in its list, or its name.
  public var station: String
  /// What the server told about the station; nil before it answered.
  public var facts: StationFacts?
  /// What is played, such as "MP3"; nil before the first sound.
  public var codec: String?
  /// The title that is heard.
  public var title: Title?
  /// The try that is on, or waited for; 0 while the connection stands.
  public var attempt: Int
  /// Whether the connection was closed because nobody listens.
  public var isResting: Bool
  /// What is heard, in seconds of the programme's own time, or the file's.
  public var position: Double
  /// How long a file sounds, in seconds; nil for a live station, and while it is not known.
  public var duration: Double?
  /// Whether any place of a file can be gone to (`isFileSeekAllowed`).
  public var isFileSeekAllowed: Bool
  /// Whether the listener can go back by a second or more (`isRewindAllowed`).
  public var isRewindAllowed: Bool
  /// Whether the listener can go on by a second or more (`isFastForwardAllowed`).
  public var isFastForwardAllowed: Bool
  /// Seconds that the listener is behind where he would be had he never paused or gone back; zero at live.
  public var timeShift: Double
  /// Seconds held and not yet heard.
  public var held: Double
  /// Seconds held and already heard, of this file where it is one.
  public var heldBehind: Double
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
  /// Times that the card ran dry.
  public var xruns: Int
  /// Times that held sound had to be made heard.
  public var rescues: Int
  /// Seconds of programme known to be lost.
  public var lost: Double
  /// Notices between the radio's threads that found no room since it was made: titles, where a station sends too many.
  public var missedNotices: Int
  /// What is being recorded; nil where nothing is.
  public var recording: Recording?
  /// The podcast, or the list of files, that what is heard is of; nil where it is of none.
  public var list: FileList?
  /// Which of its items that is.
  public var item: Int?
}

extension RadioStatus {
  /// A radio at this moment, and what it plays.
  init(_ radio: Radio, _ playback: Playback) {
    let (engine, look, programme) = (radio.engine, playback.look, playback.programme)
    let (blocks, position) = (engine.blocks, playback.transport.position(look))
    self.init(
      state: radio.state, isAudioPlaying: radio.isAudioPlaying, station: playback.name, facts: programme.facts,
      codec: programme.codec, title: programme.titles.current, attempt: programme.attempt,
      isResting: playback.transport.isResting, position: max(0, (position - look.base).seconds),
      duration: radio.duration, isFileSeekAllowed: look.isFileSeekAllowed,
      isRewindAllowed: radio.isRewindAllowed(1), isFastForwardAllowed: radio.isFastForwardAllowed(1),
      timeShift: playback.transport.timeShift(look), held: playback.transport.held(look).seconds,
      heldBehind: max(0, (position - max(look.base, blocks.oldest)).seconds), capacity: blocks.capacity?.seconds,
      blocks: blocks, heard: playback.heardSeconds, byteOffset: engine.byteOffset, measuredBitRate: blocks.bitRate,
      underruns: engine.underruns, xruns: engine.xruns, rescues: radio.summary.rescues, lost: radio.summary.lost,
      missedNotices: engine.missedNotices, recording: radio.recording, list: playback.items.queue.shownList,
      item: radio.item)
  }

  /// A radio that is stopped, and was never tuned.
  public init() {
    self.init(
      state: .stopped, isAudioPlaying: false, station: "", facts: nil, codec: nil, title: nil, attempt: 0,
      isResting: false, position: 0, duration: nil, isFileSeekAllowed: false, isRewindAllowed: false,
      isFastForwardAllowed: false, timeShift: 0, held: 0, heldBehind: 0, capacity: nil, blocks: .empty, heard: 0,
      byteOffset: 0, measuredBitRate: nil, underruns: 0, xruns: 0, rescues: 0, lost: 0, missedNotices: 0,
      recording: nil, list: nil, item: nil)
  }
}

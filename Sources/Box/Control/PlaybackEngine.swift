import Metering
import Network
import RadioEngine

/// What a player needs of a radio to play: `Radio` is one, `AbsentRadio` stands for one that cannot be made.
///
/// The control thread's, as `Radio` is.
public protocol PlaybackEngine: AnyObject {
  /// What it does.
  var state: RadioState { get }
  /// The radio at this moment.
  var status: RadioStatus { get }
  /// The list that was opened last for this station; nil where none was.
  var list: FileList? { get }
  /// Which of its items is heard, or asked for; nil where that is not known.
  var item: Int? { get }
  /// What is played when a file is over, in the same breath if it is a file too.
  var follower: StationRequest? { get set }
  /// The fault that keeps the station from coming; nil while it comes, and while it is asked for the first time.
  var fault: PlaybackFault? { get }
  /// What keeps the sound from its device, or a pipe's reader from taking it, as a sentence; nil while nothing does.
  var soundProblem: String? { get }
  /// Whether the device is missing, and waited for.
  var isDeviceMissing: Bool { get }
  /// Whether what sound goes to failed for good.
  var isSinkLost: Bool { get }
  /// Whether somebody else has the sound device, or is to have it.
  var isSuspended: Bool { get }
  /// Whether the device is about to be let go of.
  var isLettingGo: Bool { get }
  /// Seconds since the radio was made.
  var time: Double { get }
  /// The run in figures so far.
  var summary: Summary { get }
  /// Anonymous memory of this process, in KiB.
  var residentKibibytes: Int { get }

  /// Leaves what is heard, and plays a station or a file.
  func tune(_ request: StationRequest)
  /// Plays an item of the list, counted from 0; false where there is none.
  func playItem(_ number: Int) -> Bool
  /// Falls silent where it is.
  func pause(_ reason: Event.StopReason)
  /// Goes on where it paused.
  func resume()
  /// Falls silent and disconnects.
  func stop(_ reason: Event.StopReason)
  /// Lets go of the sound device until `endSuspension`.
  func suspend()
  /// Takes it again.
  func endSuspension()
  /// Goes back by seconds, or as far as is held; what it is about to do, as all that follow.
  @discardableResult func rewind(by seconds: Double) -> SeekPlan
  /// Goes on by seconds, or as far as is held.
  @discardableResult func forward(by seconds: Double) -> SeekPlan
  /// Goes to what the station sends now.
  @discardableResult func goLive() -> SeekPlan
  /// Goes to the oldest that is held.
  @discardableResult func goOldest() -> SeekPlan
  /// Goes to seconds from a file's beginning.
  @discardableResult func seek(to seconds: Double) -> SeekPlan
  /// Asks for the titles beside the stream; false where there are none.
  func beginNowPlaying() -> Bool
  /// Asks for them no more; false where there are none.
  func endNowPlaying() -> Bool
}

/// What records, and keeps songs, of what is played. The control thread's.
public protocol RecordingEngine: AnyObject {
  /// What is being recorded; nil where nothing is.
  var recording: Recording? { get }
  /// Begins a recording.
  ///
  /// - Throws: Where it cannot begin.
  func record(_ order: RecordingOrder) throws(RecordingError)
  /// Ends the recording with what has come; without effect where none runs.
  func endRecording()
  /// Keeps the song that is heard, or the one before it.
  ///
  /// - Throws: Where there is no such song, or it is no longer held.
  func keep(_ which: Radio.Song) throws(RecordingError) -> KeptSong
}

/// What tells how the sound is, off the render thread. The control thread's.
public protocol SoundMeter: AnyObject {
  /// How loud both channels are.
  var levels: (left: Level, right: Level) { get }
  /// Bits of a sample as the sink takes it.
  var sampleBits: Int { get }
  /// How loud bands of frequency are, low to high.
  func spectrum(bands: Int) -> [Decibels]
}

extension Radio: PlaybackEngine, RecordingEngine, SoundMeter {
  /// What keeps the sound from its device, as a sentence.
  public var soundProblem: String? { sinkTrouble?.description }
  /// Whether the device is missing, and waited for.
  public var isDeviceMissing: Bool { deviceFailure != nil }
  /// Whether what sound goes to failed for good.
  public var isSinkLost: Bool { sinkFailure != nil }
}

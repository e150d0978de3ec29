import Metering
import Network
import RadioEngine
import Recordings

/// The radio's interface for a player: `Radio`, or `AbsentRadio` if no radio can be created. Control thread only.
public protocol PlaybackEngine: AnyObject {
  var state: RadioState { get }
  var status: RadioStatus { get }
  /// The last list opened for this station; nil without a list.
  var list: FileList? { get }
  /// The current or requested item of the list; nil if unknown.
  var item: Int? { get }
  /// The request to play after a file; if both are files, without a gap.
  var follower: StationRequest? { get set }
  /// The fault of the station; nil while it plays, and during the first connection attempt.
  var fault: PlaybackFault? { get }
  /// A sentence about a missing sound device or a stalled pipe reader; nil without a problem.
  var soundProblem: String? { get }
  /// True if the device is missing and the radio waits for its return.
  var isDeviceMissing: Bool { get }
  /// True if audio plays, also from the buffer without a connection; also true during a pause.
  var isAudioPlaying: Bool { get }
  /// True if the output has failed permanently.
  var isSinkLost: Bool { get }
  /// True if another program uses the sound device, or is about to use it.
  var isSuspended: Bool { get }
  /// True while the device is being released.
  var isLettingGo: Bool { get }
  /// True if the station of `PrefetchRule.firstChoice` is received without an interruption.
  var isFirstChoiceReady: Bool { get }
  /// True if that station is at an announced ad.
  var isFirstChoiceAtAd: Bool { get }
  /// Seconds for which the programme has been below the level of `watchQuiet`.
  var quietSeconds: Double { get }
  /// Seconds for which the programme has repeated the same audio, while `watchQuiet` measures.
  var loopSeconds: Double { get }
  /// The last measured level, in dBFS.
  var quietLevel: Double { get }
  /// Number of network changes since the radio was created.
  var networkChanges: UInt32 { get }
  /// Seconds since the radio was created.
  var time: Double { get }
  var summary: Summary { get }
  /// Anonymous memory of this process, in KiB.
  var residentKibibytes: Int { get }

  /// Leaves the current programme and plays a station or a file.
  func tune(_ request: StationRequest)
  /// Sets the stations to receive in advance.
  func prefetch(_ rule: PrefetchRule)
  /// Plays an item of the list, from 0; false if out of range.
  func playItem(_ number: Int) -> Bool
  func pause(_ reason: Event.StopReason)
  func resume()
  /// Measures how long the programme has been below a level in dBFS, before the volume; nil to measure nothing.
  func watchQuiet(below decibels: Double?)
  /// Starts or stops a tone while no programme plays.
  func playTone(_ isOn: Bool)
  /// Starts or stops the tone of an alarm while no programme plays, at any volume.
  func playAlarmTone(_ isOn: Bool)
  /// Emits an event of the player to all observers.
  func report(_ event: Event)
  /// Stops and disconnects.
  func stop(_ reason: Event.StopReason)
  /// Releases the sound device until `endSuspension`.
  func suspend()
  func endSuspension()
  /// Goes back by seconds, limited to the buffer. Returns the plan; so do the next four methods.
  @discardableResult func rewind(by seconds: Double) -> SeekPlan
  /// Goes forward by seconds, limited to the buffer.
  @discardableResult func forward(by seconds: Double) -> SeekPlan
  @discardableResult func goLive() -> SeekPlan
  @discardableResult func goOldest() -> SeekPlan
  /// Goes to a position in a file, in seconds.
  @discardableResult func seek(to seconds: Double) -> SeekPlan
  /// Starts external titles; false if the station has none.
  func beginNowPlaying() -> Bool
  /// Stops external titles; false if the station has none.
  func endNowPlaying() -> Bool
}

/// Records, and saves songs. Control thread only.
public protocol RecordingEngine: AnyObject {
  var recording: Recording? { get }

  func record(_ order: RecordingOrder) throws(RecordingError)
  /// Ends the recording; no effect if not recording.
  func endRecording()
  /// Saves the audible song or the previous one. Throws if the song is missing, or no longer buffered.
  func keep(_ which: Radio.Song) throws(RecordingError) -> KeptSong
}

/// Measures the audio outside the render thread. Control thread only.
public protocol SoundMeter: AnyObject {
  var levels: (left: Level, right: Level) { get }
  /// Bits per sample at the sink.
  var sampleBits: Int { get }

  /// Returns the levels of frequency bands, low to high.
  func spectrum(bands: Int) -> [Decibels]
}

extension Radio: PlaybackEngine, RecordingEngine, SoundMeter {
  /// A sentence about a missing sound device.
  public var soundProblem: String? { sinkTrouble?.description }
  /// True if the device is missing and the radio waits for its return.
  public var isDeviceMissing: Bool { deviceFailure != nil }
  /// True if the output has failed permanently.
  public var isSinkLost: Bool { sinkFailure != nil }

  /// Emits an event of the player to all observers.
  public func report(_ event: Event) { emit(event) }
}

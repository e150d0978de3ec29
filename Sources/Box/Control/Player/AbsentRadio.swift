import CLinux
import Metering
import Network
import RadioEngine
import Recordings

/// A radio that could not be created: always stopped. `ControlContext.use` reports the reason to clients.
public final class AbsentRadio: PlaybackEngine, RecordingEngine, SoundMeter {
  /// The request set as follower; never played.
  public var follower: StationRequest?

  /// Creates a stopped radio.
  public init() {}

  // MARK: PlaybackEngine

  /// Always `.stopped`.
  public var state: RadioState { .stopped }
  /// The status of a stopped radio.
  public var status: RadioStatus { RadioStatus() }
  /// Always nil.
  public var list: FileList? { nil }
  /// Always nil.
  public var item: Int? { nil }
  /// Always nil.
  public var fault: PlaybackFault? { nil }
  /// Always nil.
  public var soundProblem: String? { nil }
  /// Always false.
  public var isDeviceMissing: Bool { false }
  /// Always false.
  public var isFirstChoiceReady: Bool { false }
  /// Always false.
  public var isFirstChoiceAtAd: Bool { false }
  /// Always 0.
  public var networkChanges: UInt32 { 0 }
  /// Always 0.
  public var quietSeconds: Double { 0 }
  /// Always 0.
  public var loopSeconds: Double { 0 }
  /// Always 0.
  public var quietLevel: Double { 0 }
  /// Always false.
  public var isAudioPlaying: Bool { false }
  /// Always false.
  public var isSinkLost: Bool { false }
  /// Always false.
  public var isSuspended: Bool { false }
  /// Always false.
  public var isLettingGo: Bool { false }
  /// Always 0.
  public var time: Double { 0 }
  /// An empty summary.
  public var summary: Summary { Summary() }
  /// Resident memory of the process, in KiB.
  public var residentKibibytes: Int { bk_rss_anon_kib() }

  /// Does nothing.
  public func tune(_ request: StationRequest) {}

  /// Does nothing.
  public func prefetch(_ rule: PrefetchRule) {}

  /// Returns false.
  public func playItem(_ number: Int) -> Bool { false }

  /// Does nothing.
  public func pause(_ reason: Event.StopReason) {}

  /// Does nothing.
  public func resume() {}

  /// Does nothing.
  public func watchQuiet(below decibels: Double?) {}

  /// Does nothing.
  public func playTone(_ isOn: Bool) {}

  /// Plays nothing.
  public func playAlarmTone(_ isOn: Bool) {}

  /// Does nothing.
  public func report(_ event: Event) {}

  /// Does nothing.
  public func stop(_ reason: Event.StopReason) {}

  /// Does nothing.
  public func suspend() {}

  /// Does nothing.
  public func endSuspension() {}

  /// Does nothing.
  public func rewind(by seconds: Double) -> SeekPlan { .stays }

  /// Does nothing.
  public func forward(by seconds: Double) -> SeekPlan { .stays }

  /// Does nothing.
  public func goLive() -> SeekPlan { .stays }

  /// Does nothing.
  public func goOldest() -> SeekPlan { .stays }

  /// Does nothing.
  public func seek(to seconds: Double) -> SeekPlan { .stays }

  /// Returns false.
  public func beginNowPlaying() -> Bool { false }

  /// Returns false.
  public func endNowPlaying() -> Bool { false }

  // MARK: RecordingEngine

  /// Always nil.
  public var recording: Recording? { nil }

  /// Throws `.nothing`.
  public func record(_ order: RecordingOrder) throws(RecordingError) { throw .nothing }

  /// Does nothing.
  public func endRecording() {}

  /// Throws `.nothing`.
  public func keep(_ which: Radio.Song) throws(RecordingError) -> KeptSong { throw .nothing }

  // MARK: SoundMeter

  /// Always silence.
  public var levels: (left: Level, right: Level) { (Level(), Level()) }
  /// Always 0.
  public var sampleBits: Int { 0 }

  /// Returns silence for each band.
  public func spectrum(bands: Int) -> [Decibels] { Array(repeating: .silence, count: bands) }
}

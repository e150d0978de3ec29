import CLinux
import Metering
import Network
import RadioEngine

/// A radio that could not be made: it stays stopped, and does nothing of what it is told. Whoever serves clients with
/// one tells them why (`RadioCommands.use`).
public final class AbsentRadio: PlaybackEngine, RecordingEngine, SoundMeter {
  /// What was to follow; nothing does.
  public var follower: StationRequest?

  /// No radio.
  public init() {}

  // MARK: PlaybackEngine

  /// Stopped.
  public var state: RadioState { .stopped }
  /// A radio that is stopped.
  public var status: RadioStatus { RadioStatus() }
  /// None.
  public var list: FileList? { nil }
  /// None.
  public var item: Int? { nil }
  /// None.
  public var fault: PlaybackFault? { nil }
  /// None.
  public var soundProblem: String? { nil }
  /// No device is waited for.
  public var isDeviceMissing: Bool { false }
  /// There is no sink that could fail.
  public var isSinkLost: Bool { false }
  /// Nobody has a device of it.
  public var isSuspended: Bool { false }
  /// It has no device to let go of.
  public var isLettingGo: Bool { false }
  /// It was never made.
  public var time: Double { 0 }
  /// Nothing was played.
  public var summary: Summary { Summary() }
  /// That of the process.
  public var residentKibibytes: Int { bk_rss_anon_kib() }

  /// Does nothing.
  public func tune(_ request: StationRequest) {}
  /// There is no item.
  public func playItem(_ number: Int) -> Bool { false }
  /// Does nothing.
  public func pause(_ reason: Event.StopReason) {}
  /// Does nothing.
  public func resume() {}
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
  /// There are no titles.
  public func beginNowPlaying() -> Bool { false }
  /// There are no titles.
  public func endNowPlaying() -> Bool { false }

  // MARK: RecordingEngine

  /// None.
  public var recording: Recording? { nil }
  /// Refuses: nothing is playing.
  public func record(_ order: RecordingOrder) throws(RecordingError) { throw .nothing }
  /// Does nothing.
  public func endRecording() {}
  /// Refuses: nothing is playing.
  public func keep(_ which: Radio.Song) throws(RecordingError) -> KeptSong { throw .nothing }

  // MARK: SoundMeter

  /// Silence.
  public var levels: (left: Level, right: Level) { (Level(), Level()) }
  /// None.
  public var sampleBits: Int { 0 }
  /// Silence.
  public func spectrum(bands: Int) -> [Decibels] { Array(repeating: .silence, count: bands) }
}

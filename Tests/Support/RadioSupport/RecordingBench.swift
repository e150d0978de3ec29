import Foundation
import RadioEngine
import Recordings
import TestSupport

/// A radio with a folder for recordings.
public final class RecordingBench {
  /// The radio with its recorded events.
  public let rig: RadioRig
  /// The folder for recordings.
  public let folder = TemporaryFolder()

  /// Creates a radio that may fill its disk completely.
  public init(isPaced: Bool = true, _ adapt: (inout RadioSettings) -> Void = { _ in }) throws {
    var settings = RadioSettings.bench
    settings.recording.folder = folder.path
    settings.recording.floor = 0
    adapt(&settings)
    rig = try RadioRig(settings, isPaced: isPaced)
  }

  /// The radio.
  public var radio: Radio { rig.radio }

  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> String { folder.path + "/" + name }

  /// Ends the recording and waits for its event.
  public func end() -> (bytes: Int, error: String?)? {
    radio.endRecording()
    return waitForRecordingEnd()
  }

  /// Waits for the end of a recording. Returns nil on a timeout.
  public func waitForRecordingEnd(within seconds: Double = 20) -> (bytes: Int, error: String?)? {
    guard case .recordingStopped(_, let bytes, let error) = rig.next("recordingStopped", within: seconds) else {
      return nil
    }
    return (bytes, error)
  }

  /// Runs the radio until `byteCount` bytes were recorded. Returns false on a timeout.
  public func waitForRecordedBytes(_ byteCount: Int, within seconds: Double = 30) -> Bool {
    rig.run(seconds) { (radio.recording?.byteCount ?? 0) >= byteCount }
  }

  /// Waits for a stored song. Returns nil on a timeout or an error.
  public func waitForKeptSong() -> (song: KeptSong, bytes: [UInt8])? {
    guard case .songKept(let song, _, nil) = rig.next("songKept") else { return nil }
    return (song, Array(FileManager.default.contents(atPath: song.path) ?? Data()))
  }
}

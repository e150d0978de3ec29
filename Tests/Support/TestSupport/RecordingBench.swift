import Foundation
import Decoding
import RadioEngine

/// A radio with a folder to record to.
public final class RecordingBench {
  /// The radio.
  public let rig: RadioRig
  /// Its recordings folder.
  public let folder = TemporaryFolder()

  /// A radio that leaves no room free on its disk.
  public init(isPaced: Bool = true, _ adapt: (inout RadioSettings) -> Void = { _ in }) throws {
    var settings = RadioSettings.bench
    settings.recording.folder = folder.path
    settings.recording.floor = 0
    adapt(&settings)
    rig = try RadioRig(settings, isPaced: isPaced)
  }

  /// The radio itself.
  public var radio: Radio { rig.radio }

  /// The path of a name in the folder.
  public func path(_ name: String) -> String { folder.path + "/" + name }

  /// Ends the recording; what is told of that.
  public func end() -> (bytes: Int, error: String?)? {
    radio.endRecording()
    return stopped()
  }

  /// Waits for the end of a recording.
  public func stopped(within seconds: Double = 20) -> (bytes: Int, error: String?)? {
    guard case .recordingStopped(_, let bytes, let error) = rig.next("recordingStopped", within: seconds) else {
      return nil
    }
    return (bytes, error)
  }

  /// Lets the radio run until so many bytes were recorded.
  public func records(_ byteCount: Int, within seconds: Double = 30) -> Bool {
    rig.run(seconds) { (radio.recording?.byteCount ?? 0) >= byteCount }
  }

  /// Waits until a song is kept; its file's bytes.
  public func kept() -> (song: KeptSong, bytes: [UInt8])? {
    guard case .songKept(let song, _, nil) = rig.next("songKept") else { return nil }
    return (song, Array(FileManager.default.contents(atPath: song.path) ?? Data()))
  }
}

/// Where some bytes stand in others; nil where they do not.
public func place(of part: [UInt8], in whole: [UInt8]) -> Int? {
  part.isEmpty ? nil : Data(whole).range(of: Data(part))?.lowerBound
}

extension Clip {
  /// Bytes before each packet, and all of them.
  public var borders: [Int] { packets.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) } }

  /// The packets, by number, that no decoder makes sound of.
  public var undecoded: [Int] {
    var decoder = PacketDecoder(.bits16)
    return packets.indices.filter { index in
      var padded = packets[index].bytes + [UInt8](repeating: 0, count: PacketDecoder.guardByteCount)
      return padded.withUnsafeMutableBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return true }
        return (try? decoder.decode(base, packets[index].info)) == nil
      }
    }
  }
}

import Foundation
import MediaSupport
import StationSupport
import TestSupport

/// Encoded audio in parts of about a second, so that a station sends each part in time.
struct DeadAirAudio: Sendable {
  /// An encoder of the tests, or of ffmpeg.
  enum Form: Sendable, CustomStringConvertible {
    case flac, wav
    /// 128 kbit/s, or as many as the rate allows.
    case mp3
    case aac

    var description: String {
      switch self {
      case .flac: "FLAC"
      case .wav: "WAV"
      case .mp3: "MP3"
      case .aac: "AAC"
      }
    }
  }

  private struct NotEncoded: Error {}

  /// The parts with their duration in seconds.
  private(set) var parts: [(bytes: [UInt8], seconds: Double)] = []
  /// The content type.
  let type: String

  /// Encodes mono samples. `channels`: 2 for two equal channels.
  init(_ samples: [Float], rate: Int, channels: Int = 1, as form: Form) throws {
    let music = Music(samples, rate: rate, channels: channels)
    switch form {
    case .flac:
      let encoded = EncodedMusic(music, .flac())
      let head = encoded.flac(isSized: false).count - encoded.packets.reduce(0) { $0 + $1.bytes.count }
      (type, parts) = ("audio/flac", [(Array(encoded.flac(isSized: false).prefix(head)), 0)])
      for packet in encoded.packets { add(packet.bytes, Double(packet.frames) / Double(rate)) }
    case .wav:
      type = "audio/wav"
      let (bytes, second) = (WavWriter(told: 0xFFFF_FFFF).file(music).bytes, rate * channels * 2)
      for place in stride(from: 0, to: bytes.count, by: second) {
        parts.append((Array(bytes[place..<min(bytes.count, place + second)]), 1))
      }
    case .mp3, .aac:
      type = form == .mp3 ? "audio/mpeg" : "audio/aac"
      let options = form == .mp3 ? "-c:a libmp3lame -b:a 128k -write_xing 0 -f mp3" : "-c:a aac -b:a 96k -f adts"
      add(Clip(try Self.encode(music, options)))
    }
  }

  /// Repeats a part of an encoded programme after another part.
  init(_ before: Clip, thenLoop loop: Clip, _ seconds: Double, type: String = "audio/mpeg") {
    self.type = type
    add(before)
    for _ in 0..<Int(seconds / loop.duration + 1) { add(loop) }
  }

  private mutating func add(_ clip: Clip) {
    for packet in clip.packets { add(packet.bytes, packet.info.duration.seconds) }
  }

  private mutating func add(_ bytes: [UInt8], _ seconds: Double) {
    if parts.last.map({ $0.seconds >= 1 }) ?? true { parts.append(([], 0)) }
    parts[parts.count - 1].bytes += bytes
    parts[parts.count - 1].seconds += seconds
  }

  /// The actions of a live station: the first 6 s at once.
  var actions: [StationAction] {
    let burst = parts.prefix(7).flatMap(\.bytes)
    return [.live(type: type), .send(burst)]
      + parts.dropFirst(7).map { .pace($0.bytes, perSecond: Double($0.bytes.count) / max(0.1, $0.seconds), burst: 0) }
      + [.stall]
  }

  /// True if ffmpeg is installed, which encodes MP3 and AAC.
  static let hasEncoders = Repository.tool("ffmpeg") != nil

  private static func encode(_ music: Music, _ options: String) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let samples = music.integers(16).map { Int16(truncatingIfNeeded: $0).littleEndian }
    folder.write(samples.withUnsafeBytes { Array($0) }, to: "samples")
    let process = Process()
    process.executableURL = URL(filePath: Repository.tool("ffmpeg") ?? "")
    process.currentDirectoryURL = URL(filePath: folder.path)
    let input = "-v fatal -nostdin -y -f s16le -ar \(music.rate) -ac \(music.channels) -i samples"
    process.arguments = "\(input) -map_metadata -1 -id3v2_version 0 \(options) encoded".split(separator: " ").map {
      String($0)
    }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NotEncoded() }
    return folder.bytes(of: "encoded")
  }
}

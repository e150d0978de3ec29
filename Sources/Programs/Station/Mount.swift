import Blocks
import Units

/// A file on the air with its frames, name and titles. Immutable and thread-safe.
public final class Mount: Sendable {
  /// The file name, the last part of the mount's address.
  public let name: String
  /// The average bit rate of the file.
  public let bitRate: BitRate
  /// The first frame's format.
  public var format: PacketFormat { index.format }
  /// The duration of a lap.
  public var duration: StreamTime { index.duration }

  let index: FrameIndex
  private let cues: [(offset: Int, title: String, block: [UInt8])]

  /// Creates a mount from encoded audio in memory. Before the first cue, the title is the name without its extension.
  ///
  /// - Throws: `noAudio` without MPEG audio or ADTS frames.
  public init(name: String, file bytes: [UInt8], titles: [TitleCue] = []) throws(StationError) {
    guard let index = FrameIndex(file: bytes), let bitRate = BitRate(ByteCount(index.audio.count), over: index.duration)
    else { throw .noAudio(path: name) }
    let printable = name.printable
    self.name = printable
    self.index = index
    self.bitRate = bitRate
    let opening = TitleCue(at: .zero, title: Self.stem(of: printable))
    cues = ([opening] + titles).compactMap { cue in
      index.offset(atOrAfter: cue.time).map { ($0, cue.title, cue.metadataBlock) }
    }
  }

  /// The name without its extension.
  public var stem: String { Self.stem(of: name) }

  /// Returns the index of the active cue at a byte of the endless loop.
  func cue(at byte: Int) -> Int {
    let offset = byte % index.audio.count
    return (cues.lastIndex { $0.offset <= offset }) ?? 0
  }

  func metadataBlock(ofCue cue: Int) -> [UInt8] { cues[cue].block }

  func title(ofCue cue: Int) -> String { cues[cue].title }

  /// The `Content-Type`: `aacp` for AAC headers with at most 24 kHz, because HE-AAC headers state half the rate.
  var contentType: String {
    guard format.codec == .aac else { return "audio/mpeg" }
    return format.sampleRate.hertz <= 24_000 ? "audio/aacp" : "audio/aac"
  }

  /// The percent-encoded path on the station (RFC 3986 § 2.1).
  public var path: String {
    name.utf8.reduce(into: "/") { path, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: path.unicodeScalars.append(.init(byte))
      default: path += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  private static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}

import Blocks
import CLinux
import Framing
import Glibc
import Units

/// What a file holds that a recording is to go on in.
struct ExistingRecording: Sendable {
  /// What its packets are; nil where it holds none.
  private(set) var format: PacketFormat?
  /// How long it sounds.
  private(set) var duration = StreamTime.zero
  /// Where its last whole packet ends.
  private(set) var end = 0
  /// Tracks of the cue sheet beside it; nil where there is none.
  var cueTrackCount: Int?

  private static let chunk = 16_384
  /// So much is looked at to see whether a file is a recording at all.
  private static let glance = 65_536

  /// Reads a file through; a last packet that a power cut left in pieces does not count.
  init(reading descriptor: Int32, most: Int = .max) {
    var framer = PacketFramer()
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var place = 0
    while place < most {
      let count = pread(descriptor, &buffer, buffer.count, off_t(place))
      guard count > 0 else { break }
      place += count
      var taken = 0
      while taken < count {
        taken += framer.append(buffer.span.extracting(taken..<count))
        drain(&framer)
      }
    }
    framer.finish()
    drain(&framer)
  }

  private mutating func drain(_ framer: inout PacketFramer) {
    while framer.next({ info, _ in
      format = format ?? info.format
      duration += info.duration
      end = info.byteOffset + info.byteCount
    }) {}
  }

  /// Whether a file is a recording, as far as its beginning tells, or empty.
  static func isRecording(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 3)
    let count = pread(descriptor, &head, head.count, 0)
    if count == 0 || count == 3 && head == Array("ID3".utf8) { return true }
    return ExistingRecording(reading: descriptor, most: glance).format != nil
  }
}

import Blocks
import CLinux
import Framing
import Glibc
import Units

/// The contents of a file that a recording continues.
struct ExistingRecording: Sendable {
  /// The packet format; nil if the file has no packets.
  private(set) var format: PacketFormat?
  private(set) var duration = StreamTime.zero
  /// Offset of the last complete packet's end, in bytes.
  private(set) var end = 0
  var cueTrackCount: Int?

  private static let chunk = 16_384
  /// Bytes examined to recognize a recording.
  private static let headByteCount = 65_536

  /// Reads the file, or its first `most` bytes. An incomplete last packet after a power cut does not count.
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
    }) == .packet {}
  }

  /// Returns true if the file is empty or its start looks like a recording.
  static func isRecording(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: 3)
    let count = pread(descriptor, &head, head.count, 0)
    if count == 0 || count == 3 && head == Array("ID3".utf8) { return true }
    return ExistingRecording(reading: descriptor, most: headByteCount).format != nil
  }
}

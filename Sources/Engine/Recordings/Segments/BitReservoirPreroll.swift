import Blocks
import Framing
import Units

/// Finds the first packet to record, so that the audio is complete from the requested time on. A Layer III packet may
/// need main data of earlier packets.
struct BitReservoirPreroll {
  struct Frame {
    var start: StreamTime
    var duration: StreamTime
    /// Nil if the packet decodes without earlier ones.
    var main: MainData?

    var isSelfContained: Bool { (main?.earlierByteCount ?? 0) == 0 }
  }

  private(set) var frames: [Frame] = []

  /// Maximum number of packets to examine. MP3 and AAC packets last at least 10 ms, but packets of other codecs may
  /// have no duration.
  private static let maxPackets = 1_024

  init(_ frames: [Frame]) { self.frames = frames }

  /// Examines the packets whose start is in `from ..< to`, and the packet that contains `from`.
  init(_ cursor: BlockCursor, from: StreamTime, to: StreamTime, scratch: UnsafeMutableRawPointer) {
    var cursor = cursor
    cursor.seek(to: from)
    while frames.count < Self.maxPackets, let packet = cursor.next(into: scratch), packet.start < to {
      var frame = Frame(start: packet.start, duration: packet.info.duration)
      if packet.info.format.codec == .mpegLayer3 {
        let bytes = UnsafeBufferPointer(
          start: scratch.assumingMemoryBound(to: UInt8.self), count: packet.info.byteCount)
        frame.main = MainData(bytes.span)
      }
      frames.append(frame)
    }
  }

  /// Returns the stream time of the first packet to record; nil without packets. Prefers the nearest packet that needs
  /// no earlier data, at most `back` packets before `border` or `forth` packets after it. Without this packet, the
  /// recording starts as early as the audio at `border` requires.
  func beginning(at border: StreamTime, back: Int, forth: Int) -> StreamTime? {
    guard !frames.isEmpty else { return nil }
    let target = frames.firstIndex { $0.start + $0.duration.share(1, of: 2) > border } ?? frames.count - 1
    for step in 0...max(back, forth) {
      let (before, after) = (target - step, target + step)
      if step <= back, before >= 0, frames[before].isSelfContained { return frames[before].start }
      if step <= forth, after < frames.count, frames[after].isSelfContained { return frames[after].start }
    }
    var (first, missing) = (target, frames[target].main?.earlierByteCount ?? 0)
    while missing > 0, first > 0 {
      first -= 1
      missing -= frames[first].main?.byteCount ?? 0
    }
    return frames[first].start
  }
}

import Blocks
import Framing
import Units

/// Packets around a place where a file is to begin, and where it does, so that its sound is whole from there on: a
/// Layer III packet may need main data of those before it.
struct BitReservoirPreroll {
  /// One of the packets.
  struct Frame {
    var start: StreamTime
    var duration: StreamTime
    /// Nil where the packet is a sound by itself.
    var main: MainData?

    var stands: Bool { (main?.beginsBefore ?? 0) == 0 }
  }

  private(set) var frames: [Frame] = []

  /// More are not looked at: packets of MP3 and AAC last at least 10 ms, and others may take no time.
  private static let most = 1_024

  init(_ frames: [Frame]) { self.frames = frames }

  /// Looks at the packets that sound from `from` on and before `to`.
  init(_ cursor: BlockCursor, from: StreamTime, to: StreamTime, scratch: UnsafeMutableRawPointer) {
    var cursor = cursor
    cursor.seek(to: from)
    while frames.count < Self.most, let packet = cursor.next(into: scratch), packet.start < to {
      var frame = Frame(start: packet.start, duration: packet.info.duration)
      if packet.info.format.codec == .mpegLayer3 {
        let bytes = UnsafeBufferPointer(
          start: scratch.assumingMemoryBound(to: UInt8.self), count: packet.info.byteCount)
        frame.main = MainData(bytes.span)
      }
      frames.append(frame)
    }
  }

  /// The stream time of the packet to begin with: the one that sounds at `border`, or one that stands by itself up to
  /// `back` packets before it or `forth` after it; else so many more before it as its sound needs. Nil without packets.
  func beginning(at border: StreamTime, back: Int, forth: Int) -> StreamTime? {
    guard !frames.isEmpty else { return nil }
    let target = frames.firstIndex { $0.start + $0.duration.share(1, of: 2) > border } ?? frames.count - 1
    for step in 0...max(back, forth) {
      let (before, after) = (target - step, target + step)
      if step <= back, before >= 0, frames[before].stands { return frames[before].start }
      if step <= forth, after < frames.count, frames[after].stands { return frames[after].start }
    }
    var (first, missing) = (target, frames[target].main?.beginsBefore ?? 0)
    while missing > 0, first > 0 {
      first -= 1
      missing -= frames[first].main?.byteCount ?? 0
    }
    return frames[first].start
  }
}

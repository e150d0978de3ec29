import Blocks

/// The parts in which the frames of a packet become periods: as few as hold them, all equally long but for the last.
struct PacketParts: Sequence, IteratorProtocol {
  /// A part: its frames, and those of them that are heard.
  struct Part: Equatable {
    let frames: Range<Int>
    let heard: Range<Int>
  }

  private let frameCount: Int
  private let heard: Range<Int>
  private var place = 0

  /// The parts of a packet of so many frames, some of which are heard.
  init(_ frameCount: Int, heard: Range<Int>) { (self.frameCount, self.heard) = (frameCount, heard) }

  mutating func next() -> Part? {
    guard place < frameCount else { return nil }
    let count = (frameCount + Period.longestPart - 1) / Period.longestPart
    let frames = place..<Swift.min(frameCount, place + (frameCount + count - 1) / count)
    place = frames.upperBound
    return Part(frames: frames, heard: frames.clamped(to: heard))
  }
}

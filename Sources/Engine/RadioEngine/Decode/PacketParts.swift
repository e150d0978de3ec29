import Blocks

/// Splits a packet's frames into as few periods as possible, all of equal length except the last.
struct PacketParts: Sequence, IteratorProtocol {
  struct Part: Equatable {
    let frames: Range<Int>
    let heard: Range<Int>
  }

  private let frameCount: Int
  private let heard: Range<Int>
  private var place = 0

  init(_ frameCount: Int, heard: Range<Int>) { (self.frameCount, self.heard) = (frameCount, heard) }

  mutating func next() -> Part? {
    guard place < frameCount else { return nil }
    let count = (frameCount + Period.maxPart - 1) / Period.maxPart
    let frames = place..<Swift.min(frameCount, place + (frameCount + count - 1) / count)
    place = frames.upperBound
    return Part(frames: frames, heard: frames.clamped(to: heard))
  }
}

import Blocks
import Units

extension HeldPacket {
  func audible(of frameCount: Int, from moment: StreamTime) -> Range<Int> {
    let all = info.audible(of: frameCount)
    guard moment > start else { return all }
    let timed = timed(frameCount)
    let whole = max(1, info.duration.ticks)
    let part = min(whole, (moment - start).ticks)
    let first = timed.lowerBound + Int((part * Int64(timed.count) + whole / 2) / whole)
    return min(all.upperBound, max(all.lowerBound, first))..<all.upperBound
  }

  func time(of frame: Int, in frameCount: Int) -> StreamTime {
    let timed = timed(frameCount)
    return start + info.duration.share(max(0, min(timed.count, frame - timed.lowerBound)), of: max(1, timed.count))
  }

  /// Returns the frames that the packet's duration covers.
  func timed(_ frameCount: Int) -> Range<Int> {
    info.isTrimmed ? info.audible(of: frameCount) : 0..<frameCount
  }
}

import Blocks
import Units

extension HeldPacket {
  /// Which of the `frameCount` frames that it was decoded to are to be heard, and sound at `moment` or later.
  func audible(of frameCount: Int, from moment: StreamTime) -> Range<Int> {
    let all = info.audible(of: frameCount)
    guard moment > start else { return all }
    let (part, whole) = ((moment - start).ticks, max(1, info.duration.ticks))
    let first = Int((part * Int64(frameCount) + whole / 2) / whole)
    return min(all.upperBound, max(all.lowerBound, first))..<all.upperBound
  }
}

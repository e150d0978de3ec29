import Network
import Units

extension EngineControl {
  func snapshot(at epoch: UInt32) -> ProgrammeSnapshot {
    let blocks = self.blocks
    var look = ProgrammeSnapshot(now: now, audible: audiblePosition(of: epoch))
    look.inSink = inSink
    look.start = blocks.start
    look.oldest = blocks.oldest
    look.written = blocks.written
    look.ahead = blocks.ahead
    look.hasOverwritten = blocks.hasOverwritten
    look.hasEnded = hasReceivedAll(of: epoch)
    return look
  }
}

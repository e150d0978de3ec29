import Blocks
import Http
import System
import Testing
import Units

@testable import Network

/// The reason for which the net thread waits, as reported in `StatusBoard.netWait`.
@Suite struct NetWaitTests {
  @Test("A host look-up applies to the name server, not to a station being tuned")
  func nameServer() throws {
    let arena = try Arena(MemoryBudget(blockCount: 16).total)
    let engine = try HttpEngine()
    let notices = NoticeQueue<NetNotice>(capacity: 16, wake: SharedWakeFlag())
    let memory = NetMemory(BlockRing.make(blockCount: 16, in: arena), notices, StatusBoard.make(in: arena))
    let context = ProgrammeContext(engine, memory) {}
    let session = StreamSession(context, HoldRule())
    #expect(session.wait == .order)
    session.tune(StationRequest(url: "http://radio.invalid/"), epoch: 1)
    while session.wait == .answer { _ = engine.step(timeout: Duration(seconds: 1)) }
    #expect(session.wait == .nameServer)
    session.stop()
    #expect(session.wait == .order)
  }
}

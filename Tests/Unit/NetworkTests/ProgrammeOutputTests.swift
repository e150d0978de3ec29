import Blocks
import System
import Testing
import Units

@testable import Http
@testable import Network

@Suite struct ProgrammeOutputTests {
  @Test(
    "Bytes may accumulate while much is unplayed, but a pipe's buffer does not count",
    arguments: [(0.7, 0, false), (0.8, 0, true), (0.8, 1, false), (1.8, 1, true), (20.8, 20, true), (19, 20, false)])
  func ease(_ unheard: Double, _ readerDelay: Double, _ isAtEase: Bool) throws {
    let arena = try Arena(ByteCount.kibi(2_048))
    let board = StatusBoard.make(in: arena)
    board.pointee.readerDelay.store(StreamTime(seconds: readerDelay).ticks, ordering: .relaxed)
    let notices = NoticeQueue<NetNotice>(capacity: 16, wake: SharedWakeFlag())
    let memory = NetMemory(BlockRing.make(blockCount: 64, in: arena), notices, board)
    let output = ProgrammeOutput(memory, standby: nil, MetadataFeeds(try HttpEngine())) {}
    output.begin(epoch: 1)
    output.start(at: StreamTime(seconds: unheard))
    #expect(!output.isAtEase, "nothing of the programme is heard yet")
    board.pointee.heardEpoch.store(1, ordering: .releasing)
    #expect(output.isAtEase == isAtEase)
    withExtendedLifetime(arena) {}
  }

  @Test("Another programme may start with the last title")
  func programmes() throws {
    let arena = try Arena(ByteCount.kibi(2_048))
    let notices = NoticeQueue<NetNotice>(capacity: 16, wake: SharedWakeFlag())
    let memory = NetMemory(BlockRing.make(blockCount: 64, in: arena), notices, StatusBoard.make(in: arena))
    let output = ProgrammeOutput(memory, standby: nil, MetadataFeeds(try HttpEngine())) {}
    var epochs: [UInt32] = []
    for epoch in 1...2 as ClosedRange<UInt32> {
      output.beginTitles(StationRequest(url: "http://127.0.0.1:1/"))
      output.begin(epoch: epoch)
      for _ in 0..<2 { output.accept(StationTitle(text: "A")) }
    }
    while let (epoch, notice) = notices.next() {
      #expect(notice == .title(text: "A", url: nil, at: .zero))
      epochs.append(epoch)
    }
    #expect(epochs == [1, 2])
    withExtendedLifetime(arena) {}
  }
}

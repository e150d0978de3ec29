import Blocks
import CLinux
import Glibc
import TestSupport
import Testing
import Units

@testable import Network

@Suite struct PaceTests {
  @Test("A reader that is faster than the sound is not kept waiting while its transfer is paused")
  func outrun() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let clip = Clip.mp3(60)
      let path = folder.write(Array([[UInt8]](repeating: clip.bytes, count: 10).joined()), to: "long.mp3")
      let arena = try Arena(MemoryBudget(blockCount: 300).total)
      let ring = BlockRing.make(blockCount: 300, in: arena)
      let board = StatusBoard.make(in: arena)
      let notices = EventRing.make(EventRing.netByteCount, in: arena)
      let room = arena.reserve(UInt8.self, count: MemoryBudget.decoderScratch)
      let flags = [bk_event_open(), bk_event_open()]
      let net = try NetThread(ring, notices, board, packets: flags[0], notified: flags[1])
      defer {
        net.quit()
        for flag in flags { close(flag) }
      }
      var reader = BlockReader(ring)
      let start = monotonicSeconds()
      net.tune(StationRequest(url: try WebAddress(filePath: path).url), epoch: 1)
      net.follow(nil, token: 1)
      var count = 0
      while monotonicSeconds() - start < 30 {
        // Looked at first: what is appended after it is read in the next round.
        let isAll = reader.hasEnded(1)
        while reader.next(into: room) != nil { count += 1 }
        if isAll { break }
        reader.await(true)
        if bk_wait_readable(flags[0], 20) > 0 { bk_event_clear(flags[0]) }
      }
      #expect(count == clip.packets.count * 10)
      // Three seconds are held: with a look every 100 ms ten minutes would take 20 s.
      #expect(monotonicSeconds() - start < 10)
    }
  }

  @Test(
    "Room is looked for more often only where half of what was held is gone when the server goes on",
    arguments: [(20.0, 17.0, 100), (20.0, 9.0, 5), (400.0, 399.0, 100), (400.0, 190.0, 5), (0.0, 0.0, 100)])
  func pausePace(held: Double, left: Double, milliseconds: Int) {
    var pace = PausePace()
    #expect(pace.interval == MonotonicTime(milliseconds: 100))
    pace.pause(ahead: StreamTime(seconds: held))
    pace.resume(ahead: StreamTime(seconds: left))
    #expect(pace.interval == MonotonicTime(milliseconds: Int64(milliseconds)))
    // A listener who paused since then takes nothing.
    pace.pause(ahead: StreamTime(seconds: held))
    for _ in 0..<40 { pace.look() }
    #expect(pace.interval == MonotonicTime(milliseconds: 100))
  }
}

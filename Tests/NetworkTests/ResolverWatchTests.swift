import Blocks
import Foundation
import TestSupport
import Testing
import Units

@testable import Network

/// Other name servers are noticed, and nothing else is.
@Suite struct ResolverWatchTests {
  @Test("a file that is written, replaced or comes is another one; one that goes, or stays, is not")
  func notices() throws {
    let folder = TemporaryFolder()
    let path = folder.write(Array("nameserver 192.0.2.1\n".utf8), to: "resolv.conf")
    var watch = ResolverWatch(path: path)
    var now = MonotonicTime.zero
    func looks() -> Bool {
      now = now + MonotonicTime(milliseconds: 1_100)
      return watch.hasChanged(at: now)
    }
    #expect(!looks() && !looks())
    folder.write(Array("nameserver 192.0.2.22\n".utf8), to: "resolv.conf")
    let isSeenAtOnce = watch.hasChanged(at: now)
    #expect(!isSeenAtOnce, "it looks once a second")
    #expect(looks() && !looks())
    folder.write(Array("nameserver 192.0.2.33\n".utf8), to: "other")
    try #require(rename(folder.path + "/other", path) == 0)
    #expect(looks() && !looks())
    unlink(path)
    #expect(!looks())
    folder.write(Array("nameserver 192.0.2.4\n".utf8), to: "resolv.conf")
    #expect(looks() && !looks())
  }
}

/// What the net thread waits for, as others are told (`StatusBoard.netWait`).
@Suite struct NetWaitTests {
  @Test("While a host's existence is asked about, that is for the name server, and not for a station to be tuned to")
  func nameServer() throws {
    let arena = try Arena(MemoryBudget(blockCount: 16).total)
    let receiver = Receiver(
      try HttpEngine(), BlockWriter(BlockRing.make(blockCount: 16, in: arena)),
      EventRing.make(EventRing.netByteCount, in: arena), StatusBoard.make(in: arena), HoldRule(), raise: { _ in },
      onList: { _ in })
    #expect(receiver.wait == .order)
    receiver.names.ask("localhost", at: receiver.now)
    #expect(receiver.wait == .nameServer)
    receiver.names.forget()
    #expect(receiver.wait == .order)
  }
}

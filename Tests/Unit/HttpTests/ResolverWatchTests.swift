import Foundation
import TestSupport
import Testing
import Units

@testable import Http

@Suite struct ResolverWatchTests {
  @Test("A written, replaced or new file counts as changed; a removed or equal one does not")
  func notices() throws {
    let folder = TemporaryFolder()
    let path = folder.write(Array("nameserver 192.0.2.1\n".utf8), to: "resolv.conf")
    var watch = ResolverWatch(path: path)
    var now = MonotonicTime.zero
    func looks() -> Bool {
      now = now + Duration(milliseconds: 1_100)
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

import Foundation
import System
import TestSupport
import Testing
import Units

@testable import Control

struct UnixSocketTests {
  @Test func aSocketThatIsMadeLeavesTheFilesOfOtherThreadsAlone() throws {
    let folder = TemporaryFolder()
    func modeOfNewFile() -> mode_t {
      let descriptor = open(folder.path + "/file", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      defer { close(descriptor) }
      unlink(folder.path + "/file")
      var status = stat()
      return fstat(descriptor, &status) == 0 ? status.st_mode : 0
    }
    let usual = modeOfNewFile()
    let sockets = Locked(0)
    let maker = Thread {
      while !Thread.current.isCancelled, let made = try? UnixSocket.listen(at: folder.path + "/socket", group: nil) {
        close(made)
        sockets.withLock { $0 += 1 }
      }
    }
    maker.start()
    var others = 0
    while !maker.isFinished, sockets.withLock({ $0 < 2_000 }) { others += modeOfNewFile() == usual ? 0 : 1 }
    maker.cancel()
    #expect(others == 0 && sockets.withLock { $0 >= 2_000 })
    while !maker.isFinished { usleep(1_000) }
  }

  @Test("A full socket and a silent radio are awaited for the given time")
  func limit() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      let path = folder.path + "/socket"
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(listener) }
      try #require(withUnixAddress(path) { bind(listener, $0, $1) } == 0 && Glibc.listen(listener, 0) == 0)
      // The first connection stays unaccepted and fills the socket's queue. The second cannot connect.
      for _ in 0..<2 {
        let start = Clock.machine.now()
        let end = start + Duration(milliseconds: 300)
        #expect(throws: ControlConnection.Failure.silent(path)) {
          let connection = try ControlConnection(path, limit: (end, .machine))
          _ = try connection.ask(["ping"])
        }
        let took = Clock.machine.now() - start
        #expect(took >= Duration(milliseconds: 290) && took < Duration(milliseconds: 5_000))
      }
    }
  }
}

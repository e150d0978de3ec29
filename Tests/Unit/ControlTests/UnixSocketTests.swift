import Foundation
import System
import TestSupport
import Testing

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
}

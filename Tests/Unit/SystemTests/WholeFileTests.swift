import Glibc
import System
import TestSupport
import Testing

struct WholeFileTests {
  @Test("A file gives its bytes up to a limit; an irregular one never blocks")
  func reads() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/file"
    folder.write(Array("12345".utf8), to: "file")
    #expect(try WholeFile.read(path, limit: 5) == Array("12345".utf8))
    #expect(throws: WholeFile.Problem.tooLong) { try WholeFile.read(path, limit: 4) }
    #expect(throws: WholeFile.Problem.unreadable(ENOENT)) { try WholeFile.read(folder.path + "/none", limit: 5) }
    #expect(throws: WholeFile.Problem.noFile) { try WholeFile.read(folder.path, limit: 5) }
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(throws: WholeFile.Problem.noFile) { try WholeFile.read(folder.path + "/pipe", limit: 5) }
  }
}

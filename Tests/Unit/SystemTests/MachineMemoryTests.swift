import Foundation
import TestSupport
import Testing

@testable import System

@Suite struct MachineMemoryTests {
  @Test("The smallest limit of a process's groups counts; without a limit none does")
  func groups() throws {
    let folder = TemporaryFolder()
    func limit(_ path: String, _ text: String) throws {
      try FileManager.default.createDirectory(atPath: folder.path + "/fs/" + path, withIntermediateDirectories: true)
      folder.write(Array(text.utf8), to: "fs/\(path)/memory.max")
    }
    func found() -> Int? { MachineMemory.groupLimit(path: folder.path + "/own", root: folder.path + "/fs") }
    #expect(found() == nil)
    folder.write(Array("0::/system.slice/bakelite.service\n".utf8), to: "own")
    #expect(found() == nil)
    try limit("system.slice/bakelite.service", "max\n")
    #expect(found() == nil)
    try limit("system.slice", "64000000\n")
    #expect(found() == 64_000_000)
    try limit("system.slice/bakelite.service", "32000000\n")
    #expect(found() == 32_000_000)
    folder.write(Array("1:name=systemd:/a\n0::/\n".utf8), to: "own")
    #expect(found() == nil)
    #expect(MachineMemory.byteCount > 1 << 20)
  }
}

import Foundation
import StationSupport
import TestSupport
import Testing

/// A box in a control group with little memory (cgroups(7)).
@Suite(.enabled(if: MemoryGroup.isAvailable, "needs root, a control group for memory, and no sanitizer"))
struct SmallMachineTests {
  @Test("A box whose owner wants more blocks than the machine has memory for plays after its third start (I3)")
  func playsAgain() async throws {
    try await Stage.run {
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let group = try #require(MemoryGroup(bytes: 64 << 20))
      let box = try Box(stations: [("One", station.url("/one"))])
      box.folder.write(Array("[buffer]\nblocks = 100000\n".utf8), to: "owner.toml")
      var codes: [Int32] = []
      for _ in 0..<3 {
        let program = try box.start("null", by: ["/bin/sh", "-c", "echo $$ >\(group.processes); exec \"$0\" \"$@\""])
        if box.manager.receives("STATUS=playing: One", orEndOf: program) { break }
        codes.append(try program.waitForEnd(within: 5).code)
      }
      print("small machine: \(codes.count) starts ended before the box played: \(codes)")
      #expect(codes.count <= 2 && codes.allSatisfy { $0 == SIGKILL })
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForValue("playing"))
      #expect(try box.switchOff().code == 0)
    }
  }
}

/// A control group that limits memory.
private final class MemoryGroup {
  static let isAvailable = !Sanitizer.isOn && MemoryGroup(bytes: 1 << 30) != nil

  /// The file for the numbers of the group's processes.
  var processes: String { path + "/cgroup.procs" }
  private let path: String

  /// Creates a group; nil if this machine does not allow it.
  init?(bytes: Int) {
    let name = "bakelite-test-\(getpid())-\(bytes)"
    for (root, limit) in [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")] {
      let path = "\(root)/\(name)"
      guard mkdir(path, 0o755) == 0 else { continue }
      if (try? "\(bytes)".write(toFile: "\(path)/\(limit)", atomically: false, encoding: .utf8)) != nil {
        self.path = path
        return
      }
      rmdir(path)
    }
    return nil
  }

  deinit { rmdir(path) }
}

extension ServiceListener {
  /// Waits for a message. Returns false once the program has ended without this message.
  fileprivate func receives(_ text: String, orEndOf program: Program) -> Bool {
    let end = monotonicSeconds() + 30
    while monotonicSeconds() < end {
      if receives(text, within: 0.1) { return true }
      if !program.isRunning { return receives(text, within: 0) }
    }
    return false
  }
}

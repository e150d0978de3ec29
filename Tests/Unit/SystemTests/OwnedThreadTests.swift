import Glibc
import Synchronization
import System
import Testing
import Units

@Suite struct OwnedThreadTests {
  private final class Work: Sendable {
    let begun = WakeFlag()
    let goesOn = WakeFlag()
    let ended = WakeFlag()
    let count = Atomic<Int>(0)

    func run() {
      begun.raise()
      goesOn.wait(.forever, by: .machine)
      count.add(1, ordering: .relaxed)
      ended.raise()
    }
  }

  private static let stackByteCount = 64 * 1024

  @Test("A joined or released thread has finished", arguments: [true, false])
  func joins(isExplicit: Bool) throws {
    let work = Work()
    do {
      let thread = try OwnedThread("test", stackByteCount: Self.stackByteCount) { work.run() }
      #expect(work.count.load(ordering: .relaxed) == 0)
      work.goesOn.raise()
      if isExplicit { thread.join() }
    }
    #expect(work.count.load(ordering: .relaxed) == 1)
  }

  @Test("An abandoned thread continues without a wait")
  func abandons() throws {
    let work = Work()
    let thread = try OwnedThread("test", stackByteCount: Self.stackByteCount) { work.run() }
    thread.abandon()
    #expect(work.count.load(ordering: .relaxed) == 0)
    work.goesOn.raise()
    let hasEnded = work.ended.wait(.forever, by: .machine)
    #expect(hasEnded)
  }

  @Test("A detached thread retains its work, and releases it")
  func detaches() throws {
    let ended = SharedWakeFlag()
    final class Held: Sendable {
      let ended: SharedWakeFlag
      init(_ ended: SharedWakeFlag) { self.ended = ended }
      deinit { ended.flag.raise() }
    }
    do {
      let held = Held(ended)
      let isStarted = OwnedThread.detach("test", stackByteCount: Self.stackByteCount) { _ = held.ended }
      #expect(isStarted)
    }
    let isLetGo = ended.flag.wait(.forever, by: .machine)
    #expect(isLetGo)
  }

  @Test(
    "A thread has a name of at most 15 bytes",
    arguments: [("net", "bk-net"), ("abcdefghijklmnop", "bk-abcdefghijkl")])
  func names(_ name: String, _ shown: String) throws {
    let told = Told()
    try OwnedThread(name, stackByteCount: Self.stackByteCount) { told.note() }.join()
    #expect(told.name.withLock { $0 } == shown)
  }

  private final class Told: Sendable {
    let name = Locked("")

    func note() {
      let file = Descriptor(open("/proc/thread-self/comm", O_RDONLY | O_CLOEXEC))
      var bytes = [UInt8](repeating: 0, count: 32)
      let count = read(file.raw, &bytes, bytes.count)
      let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
      name.withLock { $0 = text }
    }
  }

  @Test("A refused thread is reported, and its work released")
  func refusal() {
    var held: SharedWakeFlag? = SharedWakeFlag()
    weak let watched = held
    // A stack of 2^60 bytes exceeds every address space.
    #expect(throws: ThreadError.self) {
      _ = try OwnedThread("vast", stackByteCount: 1 << 60) { [held] in held?.flag.raise() }
    }
    let isStarted = OwnedThread.detach("vast", stackByteCount: 1 << 60) { [held] in held?.flag.raise() }
    #expect(!isStarted)
    held = nil
    #expect(watched == nil)
  }
}

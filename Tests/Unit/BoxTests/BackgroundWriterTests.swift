import System
import Testing
import Units

@testable import Box
@testable import Settings

@Suite struct BackgroundWriterTests {
  private final class Disk: Sendable {
    let isFull = Locked(false)
    let told = Locked<[String]>([])
  }

  @Test("A failing disk is reported once until a write succeeds, and retried every ten seconds")
  func tellsOnce() {
    let disk = Disk()
    let tries = BackgroundWriter.Tries(report: { text in disk.told.withLock { $0.append(text) } }) {
      () throws(SettingsError) in
      if disk.isFull.withLock({ $0 }) { throw SettingsError("a", "it cannot be written") }
      return false
    }
    for (isFull, count) in [(false, 0), (true, 1), (true, 1), (false, 1), (true, 2)] {
      disk.isFull.withLock { $0 = isFull }
      #expect(tries.writeAll() == (isFull ? Duration(milliseconds: 10_000) : .forever))
      #expect(disk.told.withLock { $0.count } == count)
    }
  }

  @Test("A failure after a success is reported, even if both arrive together")
  func tellsAgain() {
    let disk = Disk()
    let takes = Locked([false, true, false])
    let tries = BackgroundWriter.Tries(report: { text in disk.told.withLock { $0.append(text) } }) {
      () throws(SettingsError) in
      guard takes.withLock({ $0.removeFirst() }) else { throw SettingsError("a", "it cannot be written") }
      return true
    }
    for count in [1, 2] {
      #expect(tries.writeAll() == Duration(milliseconds: 10_000))
      #expect(disk.told.withLock { $0.count } == count)
    }
  }

  @Test("A thread starts with the first write, which `finish` completes")
  func startsLate() {
    let count = Locked(0)
    let writer = BackgroundWriter("test", .machine) { () throws(SettingsError) in
      count.withLock { $0 += 1 }
      return false
    }
    #expect(!writer.isStarted)
    writer.startWrite()
    #expect(writer.isStarted)
    writer.finish()
    #expect(count.withLock { $0 } >= 1)

    let unused = BackgroundWriter("test", .machine) { () throws(SettingsError) in
      count.withLock { $0 = -1 }
      return false
    }
    unused.finish()
    #expect(!unused.isStarted && count.withLock { $0 } >= 1)
  }
}

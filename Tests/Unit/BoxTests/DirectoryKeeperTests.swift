import Directory
import DirectorySupport
import Glibc
import System
import Testing
import Units

@testable import Box

@Suite struct DirectoryKeeperTests {
  private let folder = DirectoryFolder()
  private let wakes = WakeDescriptors()

  @Test("The file is opened on another thread, which wakes the control thread (G3)")
  func opens() throws {
    try folder.fill(SampleStations(50))
    let keeper = DirectoryKeeper(folder, wakes)
    #expect(wakes.all == [] && keeper.edition == 0, "nothing is opened that nobody asked for")
    #expect(keeper.state(at: at(0)).text == "opening")
    #expect(wakes.all.count == 1)
    #expect(isReadable(try #require(wakes.all.first), within: 20_000))
    #expect(keeper.state(at: at(0)).text == "open 50" && keeper.edition == 1)
    #expect(!isReadable(try #require(wakes.all.first), within: 0), "it wakes once")
    keeper.finish()
  }

  @Test("A replaced file is opening until it is read, without a report of the old state (W1)")
  func replaced() throws {
    let keeper = DirectoryKeeper(folder, wakes)
    #expect(keeper.settled(at: at(0)).text == "absent")
    try folder.fill(SampleStations(20))
    #expect(keeper.state(at: at(0)).text == "absent", "checked once a second")
    keeper.expectReplacement()
    #expect(keeper.state(at: at(0)).text == "opening" && keeper.settled(at: at(0)).text == "open 20")
    keeper.finish()
  }

  @Test("A file that appears, changes, breaks or disappears is noticed by the next query (G3)")
  func follows() throws {
    let keeper = DirectoryKeeper(folder, wakes)
    var moment = 0.0
    func state() -> String {
      moment += 1
      return keeper.settled(at: at(moment)).text
    }
    #expect(state() == "absent" && state() == "absent")
    try folder.fill(SampleStations(20))
    #expect(state() == "open 20")
    let edition = keeper.edition
    #expect(state() == "open 20" && keeper.edition == edition, "the same file is not read again")
    try folder.fill(SampleStations(30))
    #expect(state() == "open 30" && keeper.edition == edition + 1)
    var bytes = folder.folder.bytes(of: "directory")
    bytes[bytes.count / 2] ^= 1
    folder.folder.write(bytes, to: "directory")
    #expect(state() == "damaged")
    folder.folder.write(Array("<html>".utf8), to: "directory")
    #expect(state() == "damaged")
    try folder.fill(SampleStations(10))
    #expect(state() == "open 10")
    #expect(wakes.all.count == 1, "one thread, one flag")
    keeper.finish()
  }

  @Test("While a new file is read the old one answers, with one check per second (G3)")
  func goesOn() throws {
    try folder.fill(SampleStations(20))
    let keeper = DirectoryKeeper(folder, wakes)
    #expect(keeper.settled(at: at(0)).text == "open 20")
    try folder.fill(SampleStations(30))
    #expect(keeper.state(at: at(0.9)).text == "open 20" && !keeper.isReading)
    #expect(keeper.state(at: at(1)).text == "open 20" && keeper.isReading)
    #expect(keeper.settled(at: at(1)).text == "open 30")
    keeper.finish()
  }

  @Test("The file closes five minutes after the last query, and reopens (G3)")
  func closes() throws {
    try folder.fill(SampleStations(20))
    let keeper = DirectoryKeeper(folder, wakes)
    _ = keeper.settled(at: at(0))
    let edition = keeper.edition
    keeper.closeIfIdle(at: at(299))
    #expect(keeper.edition == edition && keeper.isOpen)
    keeper.closeIfIdle(at: at(300))
    #expect(keeper.edition == edition + 1 && !keeper.isOpen)
    keeper.closeIfIdle(at: at(301))
    #expect(keeper.edition == edition + 1)
    #expect(keeper.state(at: at(302)).text == "opening" && keeper.settled(at: at(302)).text == "open 20")
    keeper.use(path: folder.path)
    #expect(keeper.isOpen)
    keeper.use(path: folder.folder.path + "/other")
    #expect(!keeper.isOpen && keeper.settled(at: at(303)).text == "absent")
    keeper.finish()
  }

  @Test("An unreadable file is retried, even if unchanged (G3)")
  func unreadable() throws {
    // A link to itself cannot be opened (ELOOP).
    try #require(symlink("loop", folder.folder.path + "/loop") == 0)
    let keeper = DirectoryKeeper(path: folder.folder.path + "/loop", .machine) { _ in }
    #expect(keeper.settled(at: at(0)).text == "damaged" && keeper.settled(at: at(1)).text == "damaged")
    _ = keeper.state(at: at(10.9))
    #expect(!keeper.isReading)
    _ = keeper.state(at: at(11))
    #expect(keeper.isReading)
    keeper.finish()
  }

  private func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    DescriptorWait.isReadable(descriptor, within: milliseconds)
  }
}

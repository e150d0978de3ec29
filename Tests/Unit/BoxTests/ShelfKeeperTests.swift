import Foundation
import Panel
import Recordings
import System
import TestSupport
import Testing
import Units

@testable import Box
@testable import Control

/// The recordings folder in the panel's list (T4).
@Suite struct ShelfKeeperTests {
  private let temporary = TemporaryFolder()

  private func keeper(_ reader: @escaping ShelfKeeper.Reader = ShelfKeeper.read) -> (ShelfKeeper, wake: Int32) {
    var wake: Int32 = -1
    let keeper = ShelfKeeper(temporary.path, reader: reader) { wake = $0 }
    return (keeper, wake)
  }

  private func write(_ name: String, age: Double = 0) throws {
    let parent = (temporary.path + "/" + name as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let path = temporary.write(name.hasSuffix("cue") ? Array("REM x\n".utf8) : [1], to: name)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000 - age)], ofItemAtPath: path)
  }

  private var names: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: temporary.path))?.sorted() ?? []
  }

  /// The first answer that is a list or a fault.
  private func read(_ keeper: ShelfKeeper, _ wake: Int32) -> PanelShelf? {
    while true {
      let answer = keeper.answer(isShown: true, at: at(0))
      guard answer == .reading else { return answer }
      guard DescriptorWait.isReadable(wake, within: 10_000) else { return nil }
      #expect(keeper.advance() == nil)
    }
  }

  private func end(_ keeper: ShelfKeeper, _ wake: Int32) -> ShelfKeeper.Outcome? {
    guard DescriptorWait.isReadable(wake, within: 10_000) else { return nil }
    return keeper.advance()
  }

  @Test("The newest recordings are listed, and read again at each opening")
  func lists() throws {
    try write("Evening/01 Opening.mp3", age: 2)
    try write("b.c.aac", age: 1)
    try write("b.c.cue")
    let (keeper, wake) = keeper()
    #expect(keeper.answer(isShown: false, at: at(0)) == nil && keeper.advance() == nil)
    let first = [
      PanelShelf.Entry("b.c.aac", title: "b.c"), PanelShelf.Entry("Evening/01 Opening.mp3", title: "01 Opening"),
    ]
    #expect(read(keeper, wake) == .recordings(first))
    try write("new.mp3")
    #expect(read(keeper, wake) == .recordings(first))
    #expect(keeper.answer(isShown: false, at: at(1)) == nil)
    #expect(read(keeper, wake) == .recordings([PanelShelf.Entry("new.mp3", title: "new")] + first))
  }

  @Test("At most 500 recordings are on the display")
  func bounds() throws {
    for number in 0..<501 { temporary.write([], to: "\(number).mp3") }
    let (keeper, wake) = keeper()
    guard case .recordings(let entries)? = read(keeper, wake) else {
      Issue.record("no list")
      return
    }
    #expect(entries.count == 500)
  }

  @Test("A missing, an empty and an unreadable folder have a sentence each")
  func withoutRecordings() throws {
    let (empty, emptyWake) = keeper()
    #expect(read(empty, emptyWake) == .recordings([]))
    try FileManager.default.removeItem(atPath: temporary.path)
    let (missing, missingWake) = keeper()
    #expect(read(missing, missingWake) == .missing)
    _ = FileManager.default.createFile(atPath: temporary.path, contents: Data())
    let (unreadable, unreadableWake) = keeper()
    #expect(read(unreadable, unreadableWake) == .unreadable)
  }

  @Test("A disk that does not answer delays nothing, and is called slow after four seconds")
  func slow() throws {
    let gate = DispatchSemaphore(value: 0)
    let (keeper, wake) = keeper { _ in
      gate.wait()
      return .missing
    }
    #expect(
      keeper.answer(isShown: true, at: at(0)) == .reading && keeper.answer(isShown: true, at: at(3.9)) == .reading)
    #expect(keeper.answer(isShown: true, at: at(4)) == .slow)
    // Ten openings need one thread.
    for moment in 5..<15 {
      #expect(keeper.answer(isShown: false, at: at(Double(moment))) == nil)
      #expect(keeper.answer(isShown: true, at: at(Double(moment) + 0.5)) == .slow)
    }
    gate.signal()
    #expect(DescriptorWait.isReadable(wake, within: 10_000) && keeper.advance() == nil)
    // The list began before the last opening.
    #expect(keeper.answer(isShown: true, at: at(20)) == .reading)
    gate.signal()
    #expect(DescriptorWait.isReadable(wake, within: 10_000) && keeper.advance() == nil)
    #expect(keeper.answer(isShown: true, at: at(21)) == .missing)
  }

  @Test("A recording plays by its path and title; a missing one, and a path outside, do not")
  func plays() throws {
    try write("Evening/01 Opening.mp3")
    let (keeper, wake) = keeper()
    #expect(keeper.apply(.playRecording("Evening/01 Opening.mp3")))
    #expect(
      end(keeper, wake) == .play(path: temporary.path + "/Evening/01 Opening.mp3", title: "01 Opening"))
    for name in ["none.mp3", "../a.mp3", "/etc/passwd"] {
      #expect(keeper.apply(.playRecording(name)) && end(keeper, wake) == .notice(.stationNotPlayed))
    }
    #expect(!keeper.apply(.playPause) && !keeper.apply(.record) && keeper.advance() == nil)
  }

  @Test("A deletion includes the cue sheet, and the list loses the entry")
  func deletes() throws {
    try write("a.mp3")
    try write("a.cue")
    try write("b.mp3", age: 1)
    let (keeper, wake) = keeper()
    _ = read(keeper, wake)
    #expect(keeper.apply(.deleteRecording("a.mp3")))
    #expect(DescriptorWait.isReadable(wake, within: 10_000) && keeper.advance() == nil && names == ["b.mp3"])
    #expect(keeper.answer(isShown: true, at: at(1)) == .recordings([PanelShelf.Entry("b.mp3", title: "b")]))
    #expect(keeper.apply(.deleteRecording("a.mp3")) && end(keeper, wake) == .notice(.recordingNotDeleted))
  }

  @Test("A recording in progress stays, with its own notice")
  func growing() throws {
    try write("a.mp3")
    let file = open(temporary.path + "/a.mp3", O_RDWR)
    defer { close(file) }
    #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
    let (keeper, wake) = keeper()
    #expect(keeper.apply(.deleteRecording("a.mp3")) && end(keeper, wake) == .notice(.recordingGrowing))
    #expect(names == ["a.mp3"])
  }

  @Test("A second order during the first is refused with a notice")
  func busy() throws {
    try write("a.mp3")
    let (keeper, wake) = keeper()
    #expect(keeper.apply(.playRecording("a.mp3")) && keeper.apply(.deleteRecording("a.mp3")))
    #expect(keeper.advance() == .notice(.diskBusy) && names == ["a.mp3"])
    #expect(
      keeper.advance() ?? end(keeper, wake) == .play(path: temporary.path + "/a.mp3", title: "a"))
  }
}

import Control
import Directory
import DirectorySupport
import Foundation
import Panel
import TestSupport
import Testing
import Units

@testable import Box

/// Updates of the station directory requested by a client or the display (W1).
@Suite struct UpdateKeeperTests {
  private let runtime = TemporaryFolder()
  private let folder = DirectoryFolder()
  private let keeper: UpdateKeeper
  private let service: UpdateFiles
  private var request: String { runtime.path + "/directory/update" }

  init() {
    let copy = folder.path
    keeper = UpdateKeeper(folder: runtime.path) { copy }
    service = UpdateFiles(request: runtime.path + "/directory/update")
  }

  private var isRequested: Bool { FileManager.default.fileExists(atPath: request) }

  @Test("A request starts the service, whose progress and end are reported (W1)")
  func success() throws {
    #expect(keeper.advance(at: at(0)) == nil && keeper.answer == .absent(.unasked))
    try keeper.request(at: at(0))
    #expect(isRequested && keeper.state == .requested && keeper.answer == .fetching(stations: 0))
    #expect(service.removeRequest() == nil)
    service.write(.running(stations: 0))
    #expect(keeper.advance(at: at(1)) == UpdateKeeper.Change() && keeper.state == .running(stations: 0))
    #expect(keeper.advance(at: at(2)) == nil)
    service.write(.running(stations: 1_200))
    #expect(keeper.advance(at: at(2.1)) == nil, "twice a second at most")
    #expect(keeper.advance(at: at(3)) == UpdateKeeper.Change() && keeper.answer == .fetching(stations: 1_200))
    service.write(.ready)
    #expect(keeper.advance(at: at(4)) == UpdateKeeper.Change(isEnded: true, isReplaced: true) && keeper.state == .ready)
    #expect(keeper.advance(at: at(5)) == nil && !keeper.isActive)
    let early = ControlRefusal(.exists, "The last update was requested a short time ago; try again in 59 min")
    #expect(throws: early) { try keeper.request(at: at(61)) }
    try keeper.request(at: at(3_600))
    #expect(keeper.state == .requested)
  }

  @Test("A failure has the service's sentence, and the next request is possible after a minute (W1)")
  func failure() throws {
    try keeper.request(at: at(0))
    _ = service.removeRequest()
    service.write(.failed("No server\nsent a list."))
    #expect(keeper.advance(at: at(1)) == UpdateKeeper.Change(isEnded: true))
    #expect(keeper.state == .failed("No server sent a list."))
    #expect(keeper.answer == .absent(.failed))
    #expect(
      throws: ControlRefusal(
        .exists, "The last update was requested a short time ago; try again in 30 s")
    ) {
      try keeper.request(at: at(30))
    }
    #expect(!isRequested)
    try keeper.request(at: at(60))
    #expect(isRequested && keeper.state == .requested)
    try keeper.request(at: at(61))
  }

  @Test("Without a service the request is withdrawn, with the command to run (W1)")
  func unanswered() throws {
    try keeper.request(at: at(0))
    #expect(keeper.advance(at: at(14)) == nil && isRequested)
    #expect(keeper.advance(at: at(15)) == UpdateKeeper.Change(isEnded: true) && !isRequested)
    guard case .failed(let sentence)? = keeper.state else { throw POSIXError(.EINVAL) }
    #expect(sentence.hasSuffix("sudo bakelite find --update") && keeper.answer == .absent(.byHand))
    let alone = UpdateKeeper(folder: nil) { "/nowhere" }
    try alone.request(at: at(0))
    #expect(alone.answer == .absent(.byHand) && alone.advance(at: at(1)) == nil)
    let unwritable = UpdateKeeper(folder: "/nowhere") { "/nowhere" }
    try unwritable.request(at: at(0))
    #expect(unwritable.answer == .absent(.byHand))
  }

  @Test("An update without progress for three minutes has ended (W1)")
  func silent() throws {
    try keeper.request(at: at(0))
    _ = service.removeRequest()
    service.write(.running(stations: 5))
    #expect(keeper.advance(at: at(1)) == UpdateKeeper.Change())
    #expect(keeper.advance(at: at(180)) == nil)
    #expect(keeper.advance(at: at(181)) == UpdateKeeper.Change(isEnded: true) && !keeper.isActive)
  }

  @Test("A copy from another program is reported once (W1)")
  func foreignCopy() throws {
    keeper.expectCopy()
    #expect(keeper.advance(at: at(0)) == nil)
    try folder.fill(SampleStations(20))
    #expect(keeper.advance(at: at(1)) == UpdateKeeper.Change(isReplaced: true) && keeper.advance(at: at(2)) == nil)
    keeper.expectCopy()
    #expect(keeper.advance(at: at(3)) == nil, "the copy exists")
  }

  @Test("A copy by hand ends the report of a failed update (W1)")
  func copyByHand() throws {
    try keeper.request(at: at(0))
    #expect(keeper.advance(at: at(15))?.isEnded == true)
    keeper.expectCopy()
    try folder.fill(SampleStations(20))
    #expect(keeper.advance(at: at(16)) == UpdateKeeper.Change(isReplaced: true) && keeper.state == nil)
  }

  @Test("Foreign or overlong progress is ignored (W1)", arguments: ["", "running", "running -1", "done", "ready 1"])
  func hostile(_ text: String) throws {
    try keeper.request(at: at(0))
    for (second, text) in [text, String(repeating: "failed x", count: 1_000)].enumerated() {
      try Data(text.utf8).write(to: URL(filePath: request + ".progress"))
      #expect(keeper.advance(at: at(Double(second + 1))) == nil && keeper.state == .requested)
    }
  }

  @Test("An unanswered request ends with the radio (W1)")
  func finish() throws {
    try keeper.request(at: at(0))
    keeper.finish()
    #expect(!isRequested)
  }
}

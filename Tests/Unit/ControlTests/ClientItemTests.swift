import RadioEngine
import Testing

@testable import Control
@testable import Network
@testable import PlayerSupport

/// Items other than stations: tracks and announcements (M4).
@Suite struct ClientItemTests {
  @Test("A client's address may be an item, unless it is a preset")
  func mayBeItem() throws {
    let bench = try Bench()
    let preset = Preset(name: "One", request: StationRequest(url: "http://radio.example/one"))
    bench.player.setPresets(PresetList([preset]))
    let client = bench.client()
    for command in ["add http://ma.local/1.mp3", "addid http://ma.local/2.mp3", "load http://ma.local/3.mp3"] {
      #expect(client.ask(command).hasSuffix("OK\n"))
    }
    #expect(client.ask("add http://radio.example/one") == "OK\n" && client.ask("load One") == "OK\n")
    #expect(bench.player.queue.stations.map(\.request.mayBeItem) == [true, true, true, false, false])
  }

  @Test(
    "Audio sent once is seekable in the buffer, and refused beyond",
    arguments: [
      ("seekcur 12", true), ("seekcur 6", true), ("seekcur 29", true), ("seekcur 3", false), ("seekcur 40", false),
      ("seekcur +60", true), ("seek 0 12", true), ("seek 0 40", false), ("seekid 1 40", false), ("seekid 1 8", true),
      ("seek 1 40", true),
    ])
  func seeks(_ command: String, isDone: Bool) {
    let radio = FakeRadio()
    let player = PlayerController(radio)
    let commands = CommandTable(RadioCommands.rows(.init(version: "1")), ControlContext(player))
    let session = ControlSession(commands, isLocal: true)
    func ask(_ line: String) -> String {
      session.client.removeSent(session.client.outgoing.count)
      session.receive(Array("\(line)\n".utf8))
      session.work()
      return String(decoding: session.client.outgoing, as: UTF8.self)
    }
    #expect(ask("add http://ma.local/1.mp3\nadd http://ma.local/2.mp3\nplay 0") == "OK\nOK\nOK\n")
    radio.status.facts = StationFacts(url: "", isLive: false, isSeekable: false)
    (radio.status.position, radio.status.held, radio.status.heldBehind) = (10, 20, 5)
    radio.state = .playing
    let name = command.prefix { $0 != " " }
    #expect(ask(command) == (isDone ? "OK\n" : "ACK [52@0] {\(name)} Not seekable: its server sends it once\n"))
    // Seekable items and live stations are unchanged.
    radio.status.isFileSeekAllowed = true
    #expect(ask(command) == "OK\n")
    radio.status.isFileSeekAllowed = false
    radio.status.facts = StationFacts(url: "", isLive: true, isSeekable: false)
    #expect(ask(command) == "OK\n")
  }
}

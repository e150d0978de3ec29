import Foundation
import TestSupport
import Testing

/// A box that is a room of another box's snapserver: `[audio] output = "room"`.
@Suite struct RoomBoxTests {
  private static func box(port: Int, client: String) throws -> Box {
    try Box(
      """
      [audio]
      output = "room"

      [snapcast]
      server = "127.0.0.1:\(port)"
      client = "\(client)"
      """)
  }

  @Test("The knob sets the client's volume, a press mutes it, and the display shows the programme (M1)")
  func room() throws {
    guard SnapcastHouse.isHere else { return print("Skipped: snapserver and snapclient are not installed.") }
    let house = try SnapcastHouse(script: try ControlScript.path())
    let box = try Self.box(port: house.port, client: "bath")
    try box.start()
    #expect(box.manager.hears("READY=1") && box.manager.hears("STATUS=Trouble: snapclientGone"))
    let peer = try ControlPeer(box.socket)
    #expect(peer.shows("Snapclient is gone"))
    try house.addClient("kitchen")
    try house.addClient("bath")
    #expect(peer.tells("1", "room_connected") && peer.waits("volume") { $0 == 100 })
    let feed = try #require(house.play())
    defer { feed.close() }
    #expect(box.manager.hears("STATUS=playing: Radio One"))
    #expect(peer.shows("Radio One") && peer.shows("A, B") && peer.shows("One") && peer.shows("100 %"))
    #expect(peer.ask("radio_turn -10") == [] && house.sees { $0.volume(of: "bath")?.percent == 80 })
    #expect(peer.ask("radio_press select") == [] && house.sees { $0.volume(of: "bath")?.isMuted == true })
    #expect(peer.shows("MUTE") && peer.ask("toggleoutput 0") == [])
    #expect(house.sees { $0.volume(of: "bath")?.isMuted == false } && peer.ask("setvol 33") == [])
    #expect(house.sees { $0.volume(of: "bath")?.percent == 33 } && house.volume(of: "kitchen")?.percent == 100)
    _ = house.ask("Client.SetVolume", #"{"id":"bath","volume":{"muted":false,"percent":44}}"#)
    #expect(peer.waits("volume") { $0 == 44 } && peer.ask("getvol") == ["volume: 44"])
    #expect(peer.ask("radio_room kitchen 55") == [] && house.sees { $0.volume(of: "kitchen")?.percent == 55 })
    #expect(peer.ask("play")?.first == "ACK [52@0] {play} This box is a room of a snapserver; it has no radio.")
    #expect(try box.switchOff().code == 0)
  }

  @Test("A killed server is shown and found again; no room is set meanwhile (M1)")
  func gone() throws {
    guard SnapcastHouse.isHere else { return print("Skipped: snapserver and snapclient are not installed.") }
    let house = try SnapcastHouse()
    try house.addClient("bath")
    let box = try Self.box(port: house.port, client: "bath")
    let program = try box.start()
    #expect(box.manager.hears("READY=1"))
    let peer = try ControlPeer(box.socket)
    #expect(peer.tells("1", "room_connected"))
    house.stop()
    #expect(peer.shows("Snapserver is gone") && peer.ask("radio_turn -1") == [] && peer.shows("Room not changed"))
    #expect(peer.ask("radio_room bath 5")?.first?.hasPrefix("ACK [5") == true)
    try house.start()
    #expect(peer.tells("1", "room_connected") && peer.ask("radio_turn -1") == [])
    #expect(house.sees { $0.volume(of: "bath")?.percent == 98 })
    program.signal(SIGHUP)
    #expect(program.says("A room reads its settings when it starts"))
    #expect(try box.switchOff().code == 0)
  }

  @Test("A stalled or foreign server delays neither display nor end (M1)")
  func silent() throws {
    let server = try LineServer { while $0.hear() != nil {} }
    defer { server.close() }
    let box = try Self.box(port: server.port, client: "")
    try box.start()
    #expect(box.manager.hears("READY=1"))
    let peer = try ControlPeer(box.socket)
    #expect(peer.shows("Starting") && peer.ask("status")?.contains("state: stop") == true)
    #expect(peer.ask("setvol 5") == [] && peer.shows("Room not changed"))
    let begun = monotonicSeconds()
    #expect(try box.switchOff().code == 0 && monotonicSeconds() - begun < 4)
  }
}

/// A control script that reports one title and ignores commands.
enum ControlScript {
  private static let folder = TemporaryFolder()

  static func path() throws -> String {
    let path = folder.write(Array(text.utf8), to: "script")
    guard chmod(path, 0o755) == 0 else { throw POSIXError(.EACCES) }
    return path
  }

  private static let text = #"""
    #!/bin/sh
    can='"canControl":false,"canGoNext":false,"canGoPrevious":false,"canPause":false,"canPlay":false,"canSeek":false'
    one='{'$can',"playbackStatus":"playing","metadata":{"title":"One","artist":["A","B"],"name":"Radio One"}}'
    echo '{"jsonrpc":"2.0","method":"Plugin.Stream.Ready"}'
    while read -r line; do
      id=$(echo "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
      echo '{"id":'$id',"jsonrpc":"2.0","result":'$one'}'
    done
    """#
}

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
    #expect(box.manager.receives("READY=1") && box.manager.receives("STATUS=Trouble: snapclientGone"))
    let peer = try ControlPeer(box.socket)
    #expect(peer.waitForDisplay("Snapclient is gone"))
    try house.addClient("kitchen")
    try house.addClient("bath")
    #expect(peer.waitForText("1", "room_connected") && peer.waitForNumber("volume") { $0 == 100 })
    let feed = try #require(house.play())
    defer { feed.close() }
    #expect(box.manager.receives("STATUS=playing: Radio One"))
    #expect(
      peer.waitForDisplay("Radio One") && peer.waitForDisplay("A, B") && peer.waitForDisplay("One")
        && peer.waitForDisplay("100 %"))
    #expect(peer.request("radio_turn -10") == [] && house.becomes { $0.volume(of: "bath")?.percent == 80 })
    #expect(peer.request("radio_press select") == [] && house.becomes { $0.volume(of: "bath")?.isMuted == true })
    #expect(peer.waitForDisplay("MUTE") && peer.request("toggleoutput 0") == [])
    #expect(house.becomes { $0.volume(of: "bath")?.isMuted == false } && peer.request("setvol 33") == [])
    #expect(house.becomes { $0.volume(of: "bath")?.percent == 33 } && house.volume(of: "kitchen")?.percent == 100)
    _ = house.request("Client.SetVolume", #"{"id":"bath","volume":{"muted":false,"percent":44}}"#)
    #expect(peer.waitForNumber("volume") { $0 == 44 } && peer.request("getvol") == ["volume: 44"])
    #expect(peer.request("radio_room kitchen 55") == [] && house.becomes { $0.volume(of: "kitchen")?.percent == 55 })
    #expect(peer.request("play")?.first == "ACK [52@0] {play} This box is a room of a snapserver; it has no radio.")
    #expect(try box.switchOff().code == 0)
  }

  @Test("A killed server is shown and found again; no room is set meanwhile (M1)")
  func gone() throws {
    guard SnapcastHouse.isHere else { return print("Skipped: snapserver and snapclient are not installed.") }
    let house = try SnapcastHouse()
    try house.addClient("bath")
    let box = try Self.box(port: house.port, client: "bath")
    let program = try box.start()
    #expect(box.manager.receives("READY=1"))
    let peer = try ControlPeer(box.socket)
    #expect(peer.waitForText("1", "room_connected"))
    house.stop()
    #expect(
      peer.waitForDisplay("Snapserver is gone") && peer.request("radio_turn -1") == []
        && peer.waitForDisplay("Room not changed"))
    #expect(peer.request("radio_room bath 5")?.first?.hasPrefix("ACK [5") == true)
    try house.start()
    #expect(peer.waitForText("1", "room_connected") && peer.request("radio_turn -1") == [])
    #expect(house.becomes { $0.volume(of: "bath")?.percent == 98 })
    program.signal(SIGHUP)
    #expect(program.waitForError("A room reads its settings when it starts"))
    #expect(try box.switchOff().code == 0)
  }

  @Test("A stalled or foreign server delays neither display nor end (M1)")
  func silent() throws {
    let server = try LineServer { while $0.readLine() != nil {} }
    defer { server.close() }
    let box = try Self.box(port: server.port, client: "")
    try box.start()
    #expect(box.manager.receives("READY=1"))
    let peer = try ControlPeer(box.socket)
    #expect(peer.waitForDisplay("Starting") && peer.request("status")?.contains("state: stop") == true)
    #expect(peer.request("setvol 5") == [] && peer.waitForDisplay("Room not changed"))
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

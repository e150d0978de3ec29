import Foundation
import TestSupport
import Testing
import Units

@testable import Rooms

/// Tests with Debian's snapserver and snapclient, skipped with a message if not installed.
@Suite(.serialized)
struct SnapserverTests {
  private static func house(script: String? = nil) throws -> SnapcastHouse? {
    guard SnapcastHouse.isHere else {
      print("Skipped: snapserver and snapclient are not installed.")
      return nil
    }
    return try SnapcastHouse(script: script)
  }

  @Test("A room appears, is set, leaves and returns, equal for another program (M1)")
  func room() throws {
    guard let house = try Self.house() else { return }
    let rig = try LinkRig(port: house.port)
    #expect(rig.waits { $0.isConnected && $0.list.rooms == [] })
    try house.addClient("kitchen")
    #expect(rig.waits { $0.list.rooms.map(\.id) == ["kitchen"] && $0.list[1]?.isConnected == true })
    #expect(rig.link.send(RoomOrder("kitchen", volume: 31, isMuted: true)))
    #expect(rig.waits { _ in house.volume(of: "kitchen").map { $0.percent == 31 && $0.isMuted } == true })
    _ = house.request("Client.SetName", #"{"id":"kitchen","name":"K\u0007ü\u001b[2Jche"}"#)
    _ = house.request("Client.SetVolume", #"{"id":"kitchen","volume":{"muted":false,"percent":62}}"#)
    #expect(rig.waits { $0.list[1]?.name == "Kü[2Jche" && $0.list[1]?.volume == 62 && $0.list[1]?.isMuted == false })
    try house.addClient("bath")
    #expect(rig.waits { $0.list.rooms.count == 2 })
    house.killClient("kitchen")
    #expect(rig.waits { $0.list[1]?.isConnected == false && $0.list[2]?.isConnected == true })
    try house.addClient("kitchen")
    #expect(rig.waits { $0.list[1]?.isConnected == true && $0.list[1]?.volume == 62 })
  }

  @Test("A killed and restarted server is found again, with its rooms' numbers (M1)")
  func restart() throws {
    guard let house = try Self.house() else { return }
    let rig = try LinkRig(port: house.port)
    try house.addClient("kitchen")
    #expect(rig.waits { $0.list[1]?.isConnected == true })
    house.stop()
    #expect(rig.waits { $0.fault == .closed && $0.list[1]?.isConnected == false })
    #expect(!rig.link.send(RoomOrder("kitchen", volume: 3)))
    try house.start()
    #expect(rig.waits { $0.isConnected && $0.list[1]?.isConnected == true })
  }

  @Test("A stalled server is left after ten seconds with a pending reply, and found again (M1)")
  func freeze() throws {
    guard let house = try Self.house() else { return }
    // At tenfold speed, 12 s of the link are 1.2 s.
    let rig = try LinkRig(port: house.port, speed: 10)
    try house.addClient("kitchen")
    #expect(rig.waits { $0.list[1]?.isConnected == true })
    house.setFrozen(true)
    #expect(rig.link.send(RoomOrder("kitchen", volume: 3)))
    #expect(rig.link.currentNews().list[1]?.volume == 3)
    #expect(rig.ends(by: .silent) && rig.news.list[1]?.volume == 100)
    house.setFrozen(false)
    #expect(rig.waits { $0.isConnected && $0.list[1]?.isConnected == true })
  }

  @Test("The stream's control script reports the audible title (M1)")
  func titles() throws {
    let folder = TemporaryFolder()
    let script = folder.write(Array(Self.script.utf8), to: "script")
    chmod(script, 0o755)
    guard let house = try Self.house(script: script) else { return }
    let rig = try LinkRig(port: house.port)
    try house.addClient("kitchen")
    let stream = { (news: RoomsLink.News) in news.list[1].flatMap { news.list.stream(of: $0) } }
    #expect(rig.waits { stream($0)?.title == "One" && stream($0)?.artist == "A, B" })
    _ = house.request("Stream.Control", #"{"id":"Bakelite","command":"next"}"#)
    #expect(rig.waits { stream($0)?.title == "Two" && stream($0)?.playback == .paused })
  }

  /// A shell script with one title, and another after `next`.
  private static let script = #"""
    #!/bin/sh
    can='"canControl":true,"canGoNext":true,"canGoPrevious":true,"canPause":true,"canPlay":true,"canSeek":false'
    one='{'$can',"playbackStatus":"playing","metadata":{"title":"One","artist":["A","B"]}}'
    two='{'$can',"playbackStatus":"paused","metadata":{"title":"Two"}}'
    echo '{"jsonrpc":"2.0","method":"Plugin.Stream.Ready"}'
    while read -r line; do
      id=$(echo "$line" | sed 's/.*"id": *\([0-9]*\).*/\1/')
      case $line in
        *GetProperties*) echo '{"id":'$id',"jsonrpc":"2.0","result":'$one'}' ;;
        *) echo '{"id":'$id',"jsonrpc":"2.0","result":"ok"}'
           echo '{"jsonrpc":"2.0","method":"Plugin.Stream.Player.Properties","params":'$two'}' ;;
      esac
    done
    """#
}

import Foundation
import StationSupport
import TestSupport
import Testing

@Suite struct BoxRoomTests {
  private static func box(port: Int, _ output: String = "snapcast", _ more: String = "") throws -> Box {
    try Box(
      """
      [audio]
      output = "\(output)"

      [snapcast]
      server = "127.0.0.1:\(port)"
      \(more)
      """)
  }

  /// Starts snapserver; nil with a message if snapserver and snapclient are not installed.
  private static func house() throws -> SnapcastHouse? {
    guard SnapcastHouse.isHere else {
      print("Skipped: snapserver and snapclient are not installed.")
      return nil
    }
    return try SnapcastHouse()
  }

  @Test("Rooms are listed, set and muted from every interface, and each shows the others' changes (M1)")
  func rooms() throws {
    guard let house = try Self.house() else { return }
    let box = try Self.box(port: house.port)
    try box.start("null")
    #expect(box.manager.receives("READY=1"))
    let peer = try ControlPeer(box.socket)
    try house.addClient("kitchen")
    #expect(peer.waitForValue("1", "rooms"))
    #expect(peer.request("radio_room kitchen 31") == [] && house.becomes { $0.volume(of: "kitchen")?.percent == 31 })
    #expect(peer.request("disableoutput 1") == [] && house.becomes { $0.volume(of: "kitchen")?.isMuted == true })
    let waiting = try ControlPeer(box.socket)
    waiting.send(Array("idle output\n".utf8))
    _ = house.request("Client.SetVolume", #"{"id":"kitchen","volume":{"muted":false,"percent":62}}"#)
    #expect(waiting.waitForReceived("changed: output"))
    #expect(peer.request("outputs")?.suffix(2) == ["plugin: snapcast", "outputenabled: 1"])
    _ = house.request("Client.SetName", #"{"id":"kitchen","name":"Küche"}"#)
    try panel(peer, house)
    let told = try Program.run("ctl", "--socket", box.socket, "room", "küche", "--json")
    #expect(told.outputText == #"[{"room":"Küche","number":1,"volume":60,"muted":true,"connected":true}]"# + "\n")
    #expect(try Program.run("ctl", "--socket", box.socket, "room", "1", "5").code == 0)
    #expect(try Program.run("ctl", "--socket", box.socket, "room", "attic").errors.contains("no room attic; there are"))
    #expect(try box.switchOff().code == 0)
  }

  private func panel(_ peer: ControlPeer, _ house: SnapcastHouse) throws {
    #expect(peer.request("radio_press menu") == [] && peer.waitForDisplay("→Rooms"))
    #expect(peer.request("radio_press select") == [] && peer.waitForDisplay("→Küche"))
    #expect(peer.request("radio_press select") == [] && peer.request("radio_turn -1") == [])
    #expect(house.becomes { $0.volume(of: "kitchen")?.percent == 60 })
    #expect(peer.request("radio_press select") == [] && peer.waitForDisplay("MUTE"))
    #expect(house.becomes { $0.volume(of: "kitchen")?.isMuted == true })
  }

  @Test("A killed client, a killed server and a returning server are reported (M1)")
  func gone() throws {
    guard let house = try Self.house() else { return }
    let box = try Self.box(port: house.port)
    let program = try box.start("null")
    #expect(box.manager.receives("READY=1"))
    let peer = try ControlPeer(box.socket)
    try house.addClient("kitchen")
    #expect(peer.waitForValue("1", "rooms"))
    house.killClient("kitchen")
    #expect(peer.answers("radio_room 1") { $0.contains("connected: 0") })
    house.stop()
    #expect(program.waitForError("The snapserver at 127.0.0.1:\(house.port) ended the connection; trying again."))
    #expect(
      peer.request("radio_room 1 5")?.first?.hasPrefix("ACK [52@0] {radio_room} The snapserver at 127.0.0.1:") == true)
    #expect(peer.request("radio_room")?.last?.hasPrefix("problem: The snapserver at ") == true)
    try house.start()
    try house.addClient("kitchen")
    #expect(peer.answers("radio_room 1") { $0.contains("connected: 1") })
    #expect(peer.request("radio_room 1 5") == [] && house.becomes { $0.volume(of: "kitchen")?.percent == 5 })
    #expect(try box.switchOff().code == 0)
  }

  @Test(
    "A server that never stops sending, or stays silent, disturbs neither playback nor panel (M1)",
    arguments: [true, false])
  func hostile(_ isLoud: Bool) async throws {
    try await Stage.run {
      let server = try LineServer { connection in
        _ = connection.readLine()
        let line = #"{"method":"Client.OnVolumeChanged","params":{"id":"a","volume":{"muted":false,"percent":"#
        let flood = (0..<1_000).map { line + "\($0 % 100)}}}\r\n" }.joined()
        if isLoud { while connection.send(flood) {} }
        _ = connection.readLine()
      }
      defer { server.close() }
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
      defer { station.close() }
      let box = try Box(
        "[audio]\noutput = \"snapcast\"\n[snapcast]\nserver = \"127.0.0.1:\(server.port)\"\n",
        stations: [("One", station.url("/one"))])
      try box.start()
      #expect(box.manager.receives("STATUS=playing: One"))
      let peer = try ControlPeer(box.socket)
      let (count, begun) = (box.pcmCount, monotonicSeconds())
      while monotonicSeconds() - begun < 3 { #expect(peer.request("radio_display")?.first == "columns: 20") }
      #expect(box.pcmCount - count > 2 * 44_100 * 4 && peer.status()["underruns"] == "0")
      #expect(peer.request("radio_room")?.first?.hasPrefix("problem: ") == true)
      #expect(peer.status()["rss_anon"].flatMap { Int($0) }.map { $0 < 20_000 } == true)
      let end = try box.switchOff()
      #expect(end.code == 0 && end.time < 60)
    }
  }
}

extension SnapcastHouse {
  func becomes(_ isSo: (SnapcastHouse) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      if isSo(self) { return true }
      usleep(20_000)
    }
    return false
  }
}

extension ControlPeer {
  func answers(_ command: String, _ isSo: ([String]) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      if request(command).map(isSo) == true { return true }
      usleep(20_000)
    }
    return false
  }
}

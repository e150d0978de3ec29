import DirectorySupport
import Foundation
import TestSupport
import Testing

/// A box downloads the station directory when a client or its display requests it (W1).
@Suite struct BoxDirectoryTests {
  @Test("A request is carried out by the service, and clients wait for its end (W1)")
  func update() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(50))
      let box = try Box("[directory]\npath = \"\(rig.path)\"\n")
      try box.start("null", environment: ["RUNTIME_DIRECTORY": box.folder.path])
      #expect(box.manager.receives("READY=1"))
      let (peer, waiter) = (try ControlPeer(box.socket), try ControlPeer(box.socket))
      #expect(peer.request("radio_directory") == ["state: none"])
      waiter.send(Array("idle database\n".utf8))
      #expect(peer.request("radio_directory update") == ["state: requested"])
      #expect(peer.status()["directory_update"] == "requested")
      let request = box.folder.path + "/directory/update"
      #expect(FileManager.default.fileExists(atPath: request))
      let run = try rig.find("--update", "--if-due", "--request", request, "--mirror", rig.server.url("/"))
      #expect(run.code == 0, "\(run.errors)")
      #expect(waiter.waitForReceived("changed: database"))
      #expect(peer.request("radio_directory")?.prefix(2) == ["state: ready", "stations: 50"])
      #expect(peer.request("radio_browse popular window 0:1")?.first == "found: 50")
      #expect(peer.status()["directory_update"] == nil)
      let again = peer.request("radio_directory update") ?? []
      #expect(again.last?.contains("a short time ago") == true, "\(again)")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A copy from another program ends the wait for the directory (W1)")
  func foreignCopy() async throws {
    try await Stage.run {
      let rig = try FindRig(SampleStations.csv(50))
      let box = try Box("[directory]\npath = \"\(rig.path)\"\n")
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let (peer, waiter) = (try ControlPeer(box.socket), try ControlPeer(box.socket))
      #expect(peer.request("radio_directory") == ["state: none"])
      waiter.send(Array("idle database\n".utf8))
      let refused = peer.request("radio_directory update") ?? []
      #expect(refused.first == "state: failed" && refused.last?.contains("sudo bakelite find --update") == true)
      #expect(try rig.update().code == 0)
      #expect(waiter.waitForReceived("changed: database"))
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The sleep timer is set by a command, and shown in words (W1)")
  func sleep() async throws {
    try await Stage.run {
      let box = try Box()
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      func ctl(_ words: String...) throws -> String {
        try Program(["ctl", "--socket", box.socket] + words).waitForEnd().outputText
      }
      #expect(try ctl("sleep", "30") == "sleep_minutes: 30\n" && peer.status()["sleep_minutes"] == "30")
      #expect(try ctl("status").contains("Sleep: in 30 min"))
      #expect(try ctl("sleep", "off") == "sleep_minutes: 0\n" && peer.status()["sleep_minutes"] == nil)
      #expect(try box.switchOff().code == 0)
    }
  }
}

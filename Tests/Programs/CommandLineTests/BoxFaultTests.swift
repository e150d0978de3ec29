import Foundation
import Http
import StationSupport
import TestSupport
import Testing

@Suite struct BoxFaultTests {
  @Test("The display shows a station's fault, with specific words for each cause")
  func causes() async throws {
    try await Stage.run {
      let wma = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + [UInt8](repeating: 0, count: 40)
      let station = try ScriptedStation { visit in
        switch visit.path {
        case "/password": StationAction.response("401 Unauthorized")
        case "/missing": StationAction.response("404 Not Found")
        case "/busy": StationAction.response("503 Busy")
        case "/page":
          StationAction.response("200 OK", "<!DOCTYPE html><html><body>FLAC</body></html>", type: "text/html")
        case "/wma": [.live(), .send(wma)]
        case "/FLAC/text": StationAction.response("200 OK", "Hello, this is some text and no audio at all.\n")
        default: [.live(), .stall]
        }
      }
      defer { station.close() }
      let closed = try ScriptedStation([])
      let refused = closed.url()
      closed.close()
      var causes = [
        ("Password", station.url("/password"), "Needs name, password", "passwordNeeded"),
        ("Missing", station.url("/missing"), "Station not found", "notFound"),
        ("Busy", station.url("/busy"), "Server is busy (503)", "serverError"),
        ("Page", station.url("/page"), "A web page, no sound", "webPage"),
        ("WMA", station.url("/wma"), "WMA not playable", "windowsMedia"),
        ("Text", station.url("/FLAC/text"), "Not an audio stream", "notAudio"),
        ("Silent", station.url("/silent"), "Server sends no data", "silence"),
        ("Refused", refused, "Connection refused", "connectionRefused"),
      ]
      if LinkProbe.hasRoute(), !NameServers.denyAllNames() {
        causes.append(("Host", "http://no-such-host.invalid/", "Station not found", "noSuchHost"))
      }
      let box = try Box("[buffer]\ndata_timeout = 1\n", stations: causes.map { ($0.0, $0.1) })
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      for (name, _, words, fault) in causes {
        #expect(peer.request("radio_tune \(name)") == [])
        #expect(peer.waitForDisplay(words, within: 20), "\(name): \(peer.request("radio_display") ?? [])")
        // The previous station may have shown an identical text.
        #expect(peer.waitForValue(fault, "fault"))
      }
      let end = try box.switchOff()
      #expect(end.code == 0)
      for (name, _, _, _) in causes {
        #expect(end.errors.split(separator: "\n").contains { $0.contains(" \(name): ") }, "\(end.errors)")
      }
    }
  }

  @Test("The log contains each fault of a station once, and its end")
  func journal() async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        [1, 2, 3, 5].contains(visit.number)
          ? StationAction.response("503 Busy")
          : visit.number < 7 ? [.live(), .send(Clip.mp3(2).bytes)] : StationAction.onAir(.mp3(60))
      }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url())])
      let program = try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      #expect(peer.waitForText("(503)", "error"), "a station that has played, and is away")
      #expect(program.waitForError("One is back after", within: 20))
      while station.visits.count < 8 { usleep(20_000) }
      #expect(peer.waitForNumber("position") { $0 > 0 })
      let end = try box.switchOff()
      let lines = end.errors.split(separator: "\n")
      let backs = lines.indices.filter { lines[$0].contains("One is back after") }
      #expect(!backs.isEmpty && end.code == 0)
      for (begin, back) in zip([lines.startIndex] + backs, backs) {
        #expect(lines[begin..<back].count { $0.contains("(503)") } <= 1, "\(end.errors)")
        #expect(lines[begin..<back].count { $0.contains("closed the connection") } <= 1, "\(end.errors)")
      }
      #expect(lines.contains { $0.contains("One: ") && $0.contains("(503)") }, "\(end.errors)")
    }
  }
}

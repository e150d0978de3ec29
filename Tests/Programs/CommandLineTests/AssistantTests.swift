import Foundation
import StationSupport
import TestSupport
import Testing

/// Music Assistant plays to the box by nine commands: `clear add play pause stop setvol seekcur status idle` (M4).
@Suite struct AssistantTests {
  /// Responds as Music Assistant's server does: chunked, with DLNA headers and the track's name in `icy-name`.
  private static func track(_ visit: ScriptedStation.Request) -> [StationAction] {
    let isAac = visit.path.hasSuffix(".aac")
    let clip = isAac ? Clip.aac(4) : Clip.mp3(4)
    let size = String(clip.bytes.count, radix: 16)
    let headers = [
      "Content-Type: audio/\(isAac ? "aac" : "mpeg")", "Transfer-Encoding: chunked", "Cache-Control: no-cache",
      "transferMode.dlna.org: Streaming", "contentFeatures.dlna.org: DLNA.ORG_OP=00", "icy-name: Song \(visit.path)",
    ]
    return [.head("200 OK", headers), .text("\(size)\r\n"), .send(clip.bytes), .text("\r\n0\r\n\r\n")]
  }

  @Test(
    "A track of unknown length plays, is reported, and ends; the next one follows (M4)", arguments: ["mp3", "aac"])
  func tracks(kind: String) async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        visit.head.hasPrefix("GET ") && visit.path.hasPrefix("/single")
          ? Self.track(visit) : StationAction.onAir(.mp3(30))
      }
      defer { station.close() }
      let box = try Box(stations: [("One", station.url("/one"))])
      try box.start("null")
      #expect(box.manager.receives("STATUS=playing: One"))
      let (client, idle) = (try ControlPeer(box.socket), try ControlPeer(box.socket))
      func status() -> [String: String] {
        let pairs = (client.request("status") ?? []).compactMap { line in
          line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
        }
        return Dictionary(pairs) { $1 }
      }
      func play(_ number: Int) {
        for command in ["clear", "add \(station.url("/single/\(number).\(kind)"))", "play 0"] {
          #expect(client.request(command) == [])
        }
      }
      play(1)
      #expect(client.waitForNumber("position") { $0 > 0.5 })
      var told = status()
      #expect((told["state"], told["song"], told["error"]) == ("play", "0", nil))
      #expect((Double(told["elapsed"] ?? "") ?? 0) > 0.5 && told["volume"] != nil)
      #expect(client.request("pause 1") == [] && client.request("setvol 31") == [] && client.request("seekcur 1") == [])
      told = status()
      #expect((told["state"], told["volume"]) == ("pause", "31") && abs((Double(told["elapsed"] ?? "") ?? 0) - 1) < 0.1)
      #expect(client.request("seekcur 90")?.first?.hasPrefix("ACK [52@0] {seekcur} Not seekable") == true)
      #expect(client.request("pause 0") == [] && client.waitForNumber("position") { $0 > 1.2 })
      play(2)
      #expect(
        client.waitForNumber("position") { $0 > 0.3 && $0 < 2 } && station.visits.last?.path == "/single/2.\(kind)")
      idle.send(Array("idle\n".utf8))
      #expect(idle.waitForReceived("changed: player"))
      let end = monotonicSeconds() + 15
      while status()["state"] != "stop", monotonicSeconds() < end {
        idle.send(Array("idle player\n".utf8))
        #expect(idle.waitForReceived("changed: player\nOK\n"))
      }
      told = status()
      #expect((told["state"], told["elapsed"], told["error"]) == ("stop", nil, nil))
      play(3)
      #expect(
        client.waitForNumber("position") { $0 > 0.2 } && client.request("stop") == [] && status()["state"] == "stop")
      let asked = station.visits.filter { $0.path.hasPrefix("/single") }
      #expect(asked.map(\.path) == [1, 2, 3].map { "/single/\($0).\(kind)" }, "each is asked for once")
      #expect(asked.allSatisfy { $0.head.hasPrefix("GET ") && $0.header("Range") == nil })
      #expect(client.request("listplaylist Presets")?.count == 1)
      #expect(try box.switchOff().code == 0)
    }
  }
}

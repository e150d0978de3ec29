import RadioEngine
import Testing

@testable import Control
@testable import Network
@testable import PlayerSupport

/// The report of a lower bit rate.
struct LowerRateTests {
  @Test("The status names the reason for a lower bit rate, and no other source (F6)")
  func reason() {
    let radio = FakeRadio()
    let commands = CommandTable(RadioCommands.rows(.init(version: "1")), ControlContext(PlayerController(radio)))
    let session = ControlSession(commands, isLocal: true)
    func status() -> [Substring] {
      session.client.removeSent(session.client.outgoing.count)
      session.receive(Array("radio_status\n".utf8))
      session.work()
      return String(decoding: session.client.outgoing, as: UTF8.self).split(separator: "\n")
    }
    #expect(!status().contains { $0.hasPrefix("source_reason:") })
    radio.status.lowerRate = LowerRate(from: "128 kbit/s", to: "64 kbit/s")
    #expect(status().contains("source_reason: The line is too slow for 128 kbit/s."))
    #expect(status().contains("source_cause: slowLine"))
    #expect(!status().contains { $0.hasPrefix("source:") })
  }

  @Test("An alternative on a slow line has this reason, and an earlier fault of the station is forgotten (F6)")
  func alternative() {
    let radio = FakeRadio()
    let player = PlayerController(radio)
    var request = StationRequest(url: "http://a/own")
    request.alternatives = [AlternativeAddress(url: "http://a/slow")]
    player.add(request, name: "A")
    player.play(0)
    func deliver(_ url: String) {
      (radio.fault, radio.state) = (nil, .playing)
      radio.status.facts = StationFacts(url: url, isLive: true, isSeekable: false)
      player.settle()
    }
    deliver("http://a/own")
    radio.fault = PlaybackFault(.closed, url: "http://a/own")
    player.handle(.reconnecting(attempt: 1, delay: 1, reason: "", held: 0))
    deliver("http://a/own")
    let rate = LowerRate(from: "128 kbit/s", to: "64 kbit/s")
    radio.status.lowerRate = rate
    deliver("http://a/slow")
    #expect(player.fallback.report?.kind == .address && player.fallback.report?.reason == .slowLine(rate))
    radio.status.lowerRate = nil
    #expect(player.fallback.report?.reason == .noAudio(seconds: 0, nil))
  }
}

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
    #expect(!status().contains { $0.hasPrefix("source:") })
  }
}

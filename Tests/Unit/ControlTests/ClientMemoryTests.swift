import RadioEngine
import Testing

@testable import Control

@Suite struct ClientMemoryTests {
  @Test("Clients disconnected inside an iteration no longer count")
  func memoryOfThoseLetGo() throws {
    let hall = try Hall()
    let event = Event.connecting(url: String(repeating: "x", count: 12_000))
    // Each client follows events for longer than the next. The difference exceeds the growth of one iteration.
    let crowd = try (0..<60).map { _ in
      let peer = try hall.connect()
      peer.send("radio_events\n")
      #expect(hall.attend { peer.text.hasSuffix("\nOK\n") })
      hall.server.publish(event, at: 0)
      hall.turn()
      return peer
    }
    for _ in 0..<400 where hall.server.clients.count > 40 {
      hall.server.publish(.connecting(url: String(repeating: "x", count: 2_000)), at: 0)
      hall.turn()
      let total = hall.server.clients.values.reduce(0) { $0 + $1.session.weight }
      try #require(hall.server.memory == total)
    }
    #expect(hall.server.clients.count <= 40)
    withExtendedLifetime(crowd) {}
  }
}

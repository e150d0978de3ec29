import Testing
import Units

@testable import Network

/// Stations that allow one connection for each listener.
@Suite struct SoleConnectionTests {
  private enum Event {
    case spare
    case refused(Int)
    case data
    case end
    case wait
  }

  private func isProven(_ events: [Event]) -> Bool {
    var sole = SoleConnection()
    var now = MonotonicTime.zero + Duration(seconds: 100)
    for event in events {
      switch event {
      case .spare: sole.recordSpare(at: now)
      case .refused(let status): sole.recordRefusal(status)
      case .data: sole.recordData()
      case .end: sole.recordEnd(at: now)
      case .wait: now = now + Duration(milliseconds: 1_001)
      }
      now = now + Duration(milliseconds: 100)
    }
    return sole.isProven
  }

  @Test("Two refused spares prove the rule if the station works, and a single refusal does not")
  func refusals() {
    let round: [Event] = [.spare, .refused(403), .data]
    #expect(!isProven(round) && isProven(round + round))
    #expect(isProven([.spare, .refused(503), .data, .wait, .spare, .refused(429), .data]))
    #expect(!isProven([.spare, .refused(403), .spare, .refused(403), .end, .spare, .refused(403), .end]))
    #expect(!isProven([.spare, .refused(404), .data, .spare, .refused(500), .data, .spare, .refused(0), .data]))
    #expect(!isProven([.data, .data, .data]))
  }

  @Test("A connection that ends at once after a spare, twice, proves the rule")
  func ends() {
    #expect(!isProven([.spare, .end]) && isProven([.spare, .end, .spare, .end]))
    #expect(!isProven([.spare, .wait, .end, .spare, .wait, .end]))
    #expect(!isProven([.end, .end, .end]) && !isProven([.spare, .data, .end, .spare, .data, .end]))
    #expect(isProven([.spare, .end, .spare, .refused(403), .data]))
  }
}

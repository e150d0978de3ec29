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
    case loss
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
      case .loss: sole.recordLoss()
      case .wait: now = now + Duration(milliseconds: 1_001)
      }
      now = now + Duration(milliseconds: 100)
    }
    return sole.isProven
  }

  @Test("A refused spare proves the rule if the station works", arguments: [401, 403, 409, 429, 503])
  func refusals(status: Int) {
    #expect(isProven([.spare, .refused(status), .wait, .data]))
    #expect(!isProven([.spare, .refused(status)]) && !isProven([.spare, .refused(status), .loss, .data]))
  }

  @Test("A refusal for another reason, and the end of the first connection, prove nothing")
  func others() {
    #expect(!isProven([.spare, .refused(403), .spare, .refused(403), .end, .spare, .refused(403), .end]))
    #expect(!isProven([.spare, .refused(404), .data, .spare, .refused(500), .data, .spare, .refused(0), .data]))
    #expect(!isProven([.data, .data, .data]))
  }

  @Test("After a refusal, further spares wait until the first connection delivers data or ends")
  func wait() {
    var sole = SoleConnection()
    sole.recordSpare(at: .zero)
    sole.recordRefusal(503)
    #expect(sole.isRefused)
    sole.recordLoss()
    #expect(!sole.isRefused)
    sole.recordRefusal(503)
    sole.recordData()
    #expect(!sole.isRefused && sole.isProven)
  }

  @Test("A connection that ends at once after a spare proves the rule")
  func ends() {
    #expect(isProven([.spare, .end]) && !isProven([.spare, .loss, .end]))
    #expect(!isProven([.spare, .wait, .end, .spare, .wait, .end]))
    #expect(!isProven([.end, .end, .end]) && !isProven([.spare, .data, .end, .spare, .data, .end]))
  }
}

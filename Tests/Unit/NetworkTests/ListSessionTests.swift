import Testing
import Units

@testable import Network

@Suite struct ListSessionTests {
  @Test("A session ends at most once in 5 s, and each end is consumed once")
  func ends() {
    var session = ListSession()
    let second = { (count: Int64) in MonotonicTime.zero + Duration(milliseconds: count * 1_000) }
    var found = [session.consumeEnd()]
    for count: Int64 in [1, 5, 6] {
      found.append(session.end(at: second(count)))
      found.append(session.consumeEnd())
      found.append(session.consumeEnd())
    }
    let expected: [Bool] = [false, true, true, false, false, false, false, true, true, false]
    #expect(found == expected)
  }

  @Test(
    "A refusal means that an address is gone, or that its content is late",
    arguments: [
      (403, true, false, true), (403, false, false, true), (410, true, false, true), (410, false, false, true),
      (404, true, false, true), (404, false, false, false), (404, false, true, true), (503, true, true, false),
      (401, true, true, false), (429, true, true, false), (500, false, true, false),
    ])
  func gone(_ status: Int, _ isList: Bool, _ hasFailed: Bool, _ isGone: Bool) {
    #expect(ListSession.isGone(status, isList: isList, hasFailed: hasFailed) == isGone)
  }

  @Test("A repeated request has no prospect after some statuses")
  func refusal() {
    let statuses = [400, 401, 403, 404, 408, 410, 416, 425, 429, 451, 500, 503, 511]
    #expect(statuses.filter { ListSession.isRefusal($0) } == [401, 403, 404, 410, 451])
  }
}

import Glibc
import TestSupport
import Testing
import Units

@testable import Web

/// Limits for password attempts and sessions (W3).
struct LoginTests {
  @Test("After twenty wrong passwords within an hour the next waits until the first is an hour old")
  func failures() {
    var login = LoginGuard()
    func minute(_ count: Int) -> MonotonicTime { MonotonicTime(seconds: Double(count) * 60) }
    for count in 0..<20 {
      #expect(login.wait(at: minute(count)) == nil)
      login.fail(at: minute(count))
    }
    #expect(login.wait(at: minute(20)) == 40 * 60)
    #expect(login.wait(at: MonotonicTime(milliseconds: 3_599_999)) == 1)
    #expect(login.wait(at: minute(60)) == nil)
    login.fail(at: minute(60))
    #expect(login.wait(at: minute(60)) == 60)
  }

  @Test("A wrong path creates no folder for a hash")
  func folder() throws {
    let path = TemporaryFolder().path + "/a/password"
    let hash = try #require(PasswordHash(of: "correct horse"))
    #expect(throws: PasswordFileError.unwritable(path, errno: ENOENT)) { try hash.write(to: path) }
  }

  @Test("At most 32 sessions last 30 days; the longest unused one ends first")
  func sessions() {
    var table = SessionTable()
    var open: [SessionTable.Session] = []
    for second in 0..<32 { open.append(table.open(at: MonotonicTime(seconds: Double(second)))) }
    #expect(Set(open.flatMap { [$0.cookie, $0.token] }).count == 64)
    #expect(open.allSatisfy { $0.cookie.utf8.count == 64 && $0.token.utf8.count == 64 })
    let now = MonotonicTime(seconds: 100)
    #expect(table.find(open[0].cookie, at: now)?.token == open[0].token)
    let fresh = table.open(at: now)
    #expect(table.find(open[1].cookie, at: now) == nil && table.find(open[0].cookie, at: now) != nil)
    #expect(!table.contains(open[1].cookie, at: now) && table.contains(open[0].cookie, at: now))
    for wrong in [nil, "", fresh.token] { #expect(table.find(wrong, at: now) == nil) }
    table.close(fresh)
    #expect(table.find(fresh.cookie, at: now) == nil)
    #expect(!table.contains(fresh.cookie, at: now))
    #expect(table.find(open[0].cookie, at: MonotonicTime(seconds: 30 * 86_400 - 1)) != nil)
    #expect(table.find(open[0].cookie, at: MonotonicTime(seconds: 30 * 86_400)) == nil)
    #expect(!table.contains(open[0].cookie, at: MonotonicTime(seconds: 30 * 86_400)))
  }
}

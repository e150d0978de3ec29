import Glibc
import TestSupport
import Testing
import Units

@testable import Web

/// Limits for password attempts and sessions (W3).
struct LoginTests {
  private func minute(_ count: Int) -> MonotonicTime { MonotonicTime(seconds: Double(count) * 60) }

  @Test("After ten wrong passwords from an address the next waits until the first is an hour old")
  func failures() {
    var login = LoginGuard()
    let caller = LoginGuard.Caller(group: "192.168.1.9", isKnown: false)
    for count in 0..<10 {
      #expect(login.wait(caller, at: minute(count)) == nil)
      login.fail(caller, at: minute(count))
    }
    #expect(login.wait(caller, at: minute(10)) == 50 * 60)
    #expect(login.wait(LoginGuard.Caller(group: "192.168.1.10", isKnown: false), at: minute(10)) == nil)
    #expect(login.wait(caller, at: MonotonicTime(milliseconds: 3_599_999)) == 1)
    #expect(login.wait(caller, at: minute(60)) == nil)
    login.fail(caller, at: minute(60))
    #expect(login.wait(caller, at: minute(60)) == 60)
  }

  @Test("Wrong passwords from 300 addresses do not lock out a known device, nor does it add to theirs")
  func knownDevices() {
    var login = LoginGuard()
    var refused = 0
    for number in 0..<300 {
      let stranger = LoginGuard.Caller(group: "2001:db8:\(number)::/64", isKnown: false)
      if login.wait(stranger, at: minute(0)) == nil { login.fail(stranger, at: minute(0)) } else { refused += 1 }
    }
    #expect(refused == 200)
    let owner = LoginGuard.Caller(group: "2001:db8:1::/64", isKnown: true)
    for _ in 0..<20 {
      #expect(login.wait(owner, at: minute(1)) == nil)
      login.fail(owner, at: minute(1))
    }
    #expect(login.wait(owner, at: minute(1)) == 3_600)
    #expect(login.wait(LoginGuard.Caller(group: "x", isKnown: false), at: minute(1)) == 59 * 60)
  }

  @Test("The cookie of an ended session marks a known device; the oldest of 64 is forgotten")
  func known() {
    var table = SessionTable()
    let first = table.open(at: minute(0))
    #expect(table.isKnown(first.cookie) && !table.isKnown(nil) && !table.isKnown("") && !table.isKnown(first.token))
    table.close(first)
    #expect(!table.contains(first.cookie, at: minute(0)) && table.isKnown(first.cookie))
    for _ in 0..<64 { table.close(table.open(at: minute(1))) }
    #expect(!table.isKnown(first.cookie))
    let others = (0..<40).map { table.open(at: minute($0)) }
    #expect(others.allSatisfy { table.isKnown($0.cookie) }, "those that gave way too")
    table.closeAll()
    #expect(others.allSatisfy { table.isKnown($0.cookie) && !table.contains($0.cookie, at: minute(50)) })
    let late = table.open(at: minute(60))
    _ = table.open(at: minute(60 + 31 * 24 * 60))
    #expect(table.isKnown(late.cookie), "an expired one")
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

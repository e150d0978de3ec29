import Glibc
import TestSupport
import Testing
import Units

@testable import System
@testable import Web

/// Limits for password attempts and sessions (W3).
struct LoginTests {
  private func minute(_ count: Int) -> MonotonicTime { MonotonicTime(seconds: Double(count) * 60) }

  @Test("After ten wrong passwords from an address the next waits until the first is an hour old")
  func failures() {
    var login = LoginGuard()
    let caller = LoginGuard.Caller(network: "192.168.1.9", device: nil)
    for count in 0..<10 {
      #expect(login.wait(caller, at: minute(count)) == nil)
      login.fail(caller, at: minute(count))
    }
    #expect(login.wait(caller, at: minute(10)) == 50 * 60)
    #expect(login.wait(LoginGuard.Caller(network: "192.168.1.10", device: nil), at: minute(10)) == nil)
    #expect(login.wait(caller, at: MonotonicTime(milliseconds: 3_599_999)) == 1)
    #expect(login.wait(caller, at: minute(60)) == nil)
    login.fail(caller, at: minute(60))
    #expect(login.wait(caller, at: minute(60)) == 60)
  }

  @Test("Ten IPv6 addresses of one /64 count as one address, also in the box's network (W3)")
  func networks() throws {
    func caller(_ peer: String, at own: String) throws -> LoginGuard.Caller {
      let ends = try [own, peer].map { SocketAddress(bytes: try #require(SocketAddress.bytes(of: $0)), port: 80) }
      return LoginGuard.Caller(network: Visitor.Connection(-1, own: ends[0], peer: ends[1]).network, device: nil)
    }
    for (own, start, other) in [
      ("2001:db8::1", "2001:db8::10:", "2001:db8:0:1::1"), ("fd00::1", "2001:db8::10:", "2001:db8:0:1::1"),
      ("fe80::1", "fe80::10:", "192.168.1.9"),
    ] {
      var login = LoginGuard()
      for number in 0..<10 { login.fail(try caller("\(start)\(number)", at: own), at: minute(0)) }
      #expect(login.wait(try caller("\(start)77", at: own), at: minute(0)) == 3_600, "\(start)")
      #expect(login.wait(try caller(other, at: own), at: minute(0)) == nil)
    }
    var login = LoginGuard()
    for _ in 0..<10 { login.fail(try caller("::ffff:192.168.1.9", at: "::ffff:192.168.1.2"), at: minute(0)) }
    #expect(login.wait(try caller("192.168.1.9", at: "192.168.1.2"), at: minute(0)) == 3_600)
    #expect(login.wait(try caller("::ffff:192.168.1.10", at: "::ffff:192.168.1.2"), at: minute(0)) == nil)
  }

  @Test("Wrong passwords from 300 addresses or of another known device do not lock out a known device")
  func knownDevices() {
    var login = LoginGuard()
    var refused = 0
    for number in 0..<300 {
      let stranger = LoginGuard.Caller(network: "2001:db8:\(number)::/64", device: nil)
      if login.wait(stranger, at: minute(0)) == nil { login.fail(stranger, at: minute(0)) } else { refused += 1 }
    }
    #expect(refused == 250)
    let guest = LoginGuard.Caller(network: "2001:db8:1::/64", device: "guest")
    for _ in 0..<10 {
      #expect(login.wait(guest, at: minute(1)) == nil)
      login.fail(guest, at: minute(1))
    }
    #expect(login.wait(guest, at: minute(1)) == 59 * 60, "then it is a stranger")
    #expect(login.wait(LoginGuard.Caller(network: "2001:db8:1::/64", device: "owner"), at: minute(1)) == nil)
    #expect(login.wait(LoginGuard.Caller(network: "x", device: nil), at: minute(1)) == 59 * 60)
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

  @Test("Sessions and known devices are stored; another password or a damaged file ends them")
  func file() throws {
    let folder = TemporaryFolder()
    let file = SessionFile(folder: folder.path)
    var table = SessionTable()
    let (one, two) = (table.open(at: minute(0)), table.open(at: minute(30)))
    let gone = table.open(at: minute(30))
    table.close(gone)
    let hash = try #require(PasswordHash(of: "code"))
    #expect(file.save(table, hash, wall: 1_000_000, at: minute(60)))
    var facts = stat()
    #expect(stat(folder.path + "/sessions", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    var loaded = file.load("code", wall: 1_000_000 + 60, at: minute(5))
    #expect(loaded.find(one.cookie, at: minute(5))?.token == one.token)
    #expect(loaded.find(two.cookie, at: minute(5)) != nil && loaded.isKnown(gone.cookie))
    #expect(loaded.find(gone.cookie, at: minute(5)) == nil)
    // 30 days count from the sign-in, also if the box was off; a clock before it ends no session.
    let month = Int64(30 * 86_400)
    #expect(file.load("code", wall: 1_000_000 + month - 3_600, at: minute(0)).list.map(\.cookie) == [two.cookie])
    #expect(file.load("code", wall: 0, at: minute(0)).list.count == 2)
    let other = file.load("other", wall: 1_000_000, at: minute(0))
    #expect(other.list.isEmpty && other.isKnown(one.cookie) && other.isKnown(gone.cookie))
    let good = folder.bytes(of: "sessions")
    for bytes in [[], Array("x\n".utf8), Array(good.dropFirst(3)), [UInt8](repeating: 0x61, count: 100_000)] {
      folder.write(bytes, to: "sessions")
      #expect(file.load("code", wall: 1_000_000, at: minute(0)).list.isEmpty)
    }
    let text = String(decoding: good, as: UTF8.self).replacing(one.cookie, with: "short")
      .replacing(two.token, with: "X")
    folder.write(Array((text + "session a b c\nsession\nended ../x\n").utf8), to: "sessions")
    #expect(file.load("code", wall: 1_000_000, at: minute(0)).list.isEmpty)
    #expect(!SessionFile(folder: "/nowhere").save(table, hash, wall: 0, at: minute(0)))
  }

  @Test("A browser stays signed in when the panel's program restarts, until the code is another one (W3)")
  func restart() async throws {
    try await Stage.run {
      let state = TemporaryFolder()
      var cookie = ""
      do {
        let bench = try WebBench { options, _ in options.state = state.path }
        cookie = try bench.browser().cookie
      }
      do {
        let bench = try WebBench { options, _ in options.state = state.path }
        let browser = try bench.browser(signsIn: false)
        browser.cookie = cookie
        #expect(try browser.request("GET", "/api/session").json["signed_in"] as? Bool == true)
        #expect(try browser.request("GET", "/api/status").status == 200)
      }
      let bench = try WebBench { options, folder in
        options.state = state.path
        options.passwordFile = folder.path + "/password"
        try? PasswordHash(of: "correct horse")?.write(to: folder.path + "/password")
      }
      let browser = try bench.browser(signsIn: false)
      browser.cookie = cookie
      #expect(try browser.request("GET", "/api/session").json["signed_in"] as? Bool == false)
    }
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

import Foundation
import TestSupport
import Testing

@testable import Web

/// Password attempts over HTTP (W3).
@Suite struct LoginRateTests {
  @Test("After 10 wrong passwords from an address it has no attempt left; other devices sign in (W3)")
  func rate() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser(signsIn: false)
      let owner = try bench.browser()
      let before = owner.cookie
      #expect(try owner.request("POST", "/api/logout").status == 200)
      for count in 0..<10 {
        let answer = try browser.request("POST", "/api/login", "{\"password\":\"ABCD234\(count % 8 + 2)X\"}")
        #expect(answer.status == 401 && answer.code == "password", "\(count)")
      }
      let refused = try Browser(bench.port).signIn()
      #expect(refused.status == 429 && refused.code == "failures" && refused.headers["set-cookie"] == nil)
      let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
      #expect((3_500...3_600).contains(seconds))
      #expect(try Browser(bench.port, from: "127.0.0.9").signIn().status == 200)
      // The cookie of an earlier session at the same address.
      owner.cookie = before
      #expect(try owner.signIn().status == 200)
    }
  }

  @Test("The file's current password counts; a code is accepted in any case")
  func file() async throws {
    try await Stage.run {
      let bench = try WebBench { options, folder in
        options.passwordFile = folder.path + "/password"
        try? PasswordHash(of: "correct horse")?.write(to: folder.path + "/password")
      }
      let path = bench.folder.path + "/password"
      var facts = stat()
      #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
      #expect(String(decoding: bench.folder.bytes(of: "password"), as: UTF8.self).hasPrefix("$y$j7T$"))
      let browser = try bench.browser(signsIn: false)
      #expect(try browser.signIn("correct horse").status == 200)
      #expect(try browser.signIn("Correct horse").status == 401)
      #expect(try browser.signIn(WebBench.code).status == 401)
      try PasswordHash(of: "WXYZ6789")?.write(to: path)
      #expect(try browser.signIn("wxyz 6789").status == 200)
      #expect(try browser.signIn("correct horse").status == 401)
      bench.folder.write(Array("WXYZ6789\n".utf8), to: "password")
      #expect(try browser.signIn("WXYZ6789").status == 401)
    }
  }

  @Test("Another password signs all browsers out within a second, and ends their streams (W3)")
  func replaced() async throws {
    try await Stage.run(speed: 5) {
      let bench = try WebBench { options, folder in
        options.passwordFile = folder.path + "/password"
        try? PasswordHash(of: "correct horse")?.write(to: folder.path + "/password")
      }
      let (page, other) = (try bench.browser(signsIn: false), try bench.browser(signsIn: false))
      #expect(try page.signIn("correct horse").status == 200 && other.signIn("correct horse").status == 200)
      page.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: bakelite=\(page.cookie)\r\n\r\n")
      #expect(try page.readResponse(hasBody: false).status == 200)
      // A short absence of the file ends no session.
      #expect(unlink(bench.folder.path + "/password") == 0)
      #expect(try bench.browser(signsIn: false).signIn("correct horse").status == 401)
      #expect(try other.request("GET", "/api/status").status == 200)
      try PasswordHash(of: "battery staple")?.write(to: bench.folder.path + "/password")
      #expect(page.waitForDisconnect())
      #expect(try other.request("GET", "/api/status").status == 401)
      #expect(try other.signIn("battery staple").status == 200)
      #expect(try other.request("GET", "/api/status").status == 200)
    }
  }

  @Test("During a check other requests are served, and a second check must wait")
  func busy() async throws {
    try await Stage.run {
      let bench = try WebBench { options, folder in
        options.passwordFile = folder.path + "/password"
        try? PasswordHash(of: "correct horse")?.write(to: folder.path + "/password")
      }
      let browsers = try (0..<6).map { _ in try bench.browser(signsIn: false) }
      let body = "{\"password\":\"wrong horse\"}"
      for browser in browsers {
        browser.send(
          "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
      #expect(try bench.browser(signsIn: false).request("GET", "/health").status == 200)
      let answers = try browsers.map { try $0.readResponse() }
      #expect(answers.contains { $0.status == 401 } && answers.allSatisfy { [401, 429].contains($0.status) })
      for answer in answers where answer.status == 429 { #expect(answer.headers["retry-after"] == "1") }
    }
  }

  @Test("A file without a hash is refused at the start", arguments: ["", "plain\n", "$y$a b\n", "$y$a\n$y$b\n"])
  func noHash(_ text: String) throws {
    #expect(throws: WebError.self) {
      _ = try WebBench(hasRadio: false) { options, folder in
        options.passwordFile = folder.write(Array(text.utf8), to: "password")
      }
    }
  }
}

import Foundation
import TestSupport
import Testing
import Units

@testable import System
@testable import Web

/// Sign-in and permissions (W3).
@Suite struct AccessTests {
  @Test("Only a name of the box opens the panel, with any port (W3)")
  func hosts() {
    let names = OwnNames(MachineName("Radio.lan"))
    let own = SocketAddress(bytes: [192, 168, 1, 2], port: 8_080)
    let six = SocketAddress(bytes: SocketAddress.bytes(of: "fe80::1") ?? [], port: 80)
    for host in [
      "radio.lan", "RADIO.LAN:8080", "radio", "radio.local", "radio.local:8080", "bakelite.local", "localhost:8080",
      "192.168.1.2", "192.168.1.2:8080",
    ] { #expect(names.contains(host, at: own), "\(host)") }
    for host in [
      "", "evil.example", "radio.lan:80", "radio.lan.evil.example", "evil-radio.lan", "192.168.1.3", "127.0.0.1",
      "192.168.1.2:", "192.168.1.2:8080:1", "192.168.1.2:+8080", "radio.lan:080800", "[fe80::1]", "radio.lan ",
      "@radio.lan", "radio.lan/", "0xC0A80102", "3232235778", String(repeating: "a", count: 1_000),
    ] { #expect(!names.contains(host, at: own), "\(host)") }
    #expect(names.contains("[fe80::1]", at: six) && names.contains("[FE80:0::1]:80", at: six))
    #expect(
      !names.contains("[fe80::2]", at: six) && !names.contains("fe80::1", at: six) && !names.contains("[]", at: six))
    // An IPv4 address mapped into IPv6 is the same address.
    #expect(SocketAddress.bytes(of: "::ffff:192.168.1.2") == [192, 168, 1, 2])
    #expect(!OwnNames(MachineName("")).contains("", at: own))
  }

  @Test("The box's name with a search domain of the network opens the panel; another domain does not")
  func searchDomains() {
    let own = SocketAddress(bytes: [192, 168, 1, 2], port: 80)
    let text = "domain old.example\n# search no.example\nsearch fritz.box\tHome.Arpa. .\nnameserver 192.168.1.1\n"
    let domains = SearchDomains(Array(text.utf8))
    #expect(domains.all == ["fritz.box", "home.arpa"])
    let names = OwnNames(MachineName("Radio")) { domains }
    for host in ["radio.fritz.box", "RADIO.Fritz.Box:80", "radio.home.arpa", "radio"] {
      #expect(names.contains(host, at: own), "\(host)")
    }
    for host in [
      "fritz.box", "other.fritz.box", "radio.old.example", "radio.no.example", "radio.fritz.box.evil.example", "radio.",
      "radio.fritz.box:81", "evil-radio.fritz.box", ".fritz.box",
    ] { #expect(!names.contains(host, at: own), "\(host)") }
    #expect(!OwnNames(MachineName("")) { domains }.contains(".fritz.box", at: own))
    #expect(SearchDomains([]).all == [] && SearchDomains(path: "/nowhere").all == [])
    #expect(SearchDomains(Array("search\nsearch lan com a.b".utf8)).all == ["lan", "a.b"])
    #expect(SearchDomains(Array("search lan\ndomain home".utf8)).all == ["home"])
    let many = (0..<100).map { " d\($0).lan" }.joined()
    #expect(SearchDomains(Array("search\(many)".utf8)).all.count == 32)
  }

  @Test(
    "The panel's name is localhost if unreachable for others, else the machine's name",
    arguments: [("127.0.0.1", true), ("127.0.1.9", true), ("::1", true), ("0.0.0.0", false), ("::", false)])
  func places(_ address: String, _ isLoopback: Bool) {
    let place = SocketAddress(bytes: SocketAddress.bytes(of: address) ?? [], port: 80)
    #expect(OwnNames.name(of: place) == (isLoopback ? "localhost" : MachineName.own.local))
  }

  @Test("A browser signed out during its request is not served (W3)")
  func signedOutMeanwhile() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let (owner, other) = (try bench.browser(), try bench.browser(signsIn: false))
      other.send(
        "POST /api/volume HTTP/1.1\r\nHost: localhost\r\nCookie: bakelite=\(owner.cookie)\r\nX-Bakelite-Token: "
          + "\(owner.token)\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"volume\"")
      // The head is processed before the body.
      #expect(try owner.request("GET", "/api/status").status == 200)
      #expect(try owner.request("POST", "/api/logout").status == 200)
      other.send(":5}")
      #expect(try other.readResponse().status == 401 && bench.radio?.takeAsked() == [])
    }
  }

  @Test("An Origin must be a page of the same host and scheme")
  func origins() {
    let isSame = { OwnNames.isSame(origin: $0, as: $1, isEncrypted: $2) }
    #expect(isSame("http://radio.local", "radio.local", false) && isSame("HTTP://Radio.local:80", "radio.local", false))
    #expect(isSame("http://radio.local:8080", "radio.local:8080", false))
    #expect(isSame("https://radio.local", "radio.local:443", true))
    for origin in ["null", "", "http://evil.example", "https://radio.local", "http://radio.local:81", "radio.local"] {
      #expect(!isSame(origin, "radio.local", false), "\(origin)")
    }
  }

  @Test("Requests of other hosts, pages and strangers are refused before the radio (W3)")
  func strangers() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let stranger = try bench.browser(signsIn: false)
      #expect(try stranger.request("GET", "/", host: "evil.example").status == 421)
      #expect(try stranger.request("GET", "/health", host: "evil.example:\(bench.port)").code == "host")
      #expect(try stranger.request("GET", "/api/session", nil, ["Origin: http://evil.example"]).code == "origin")
      #expect(try stranger.request("GET", "/api/status").code == "session")
      #expect(try stranger.request("POST", "/api/stop").status == 401)
      stranger.cookie = String(repeating: "0", count: 64)
      #expect(try stranger.request("GET", "/api/status").status == 401)
      #expect(try stranger.request("GET", "/api/session").json["signed_in"] as? Bool == false)
      for path in ["/", "/core.js", "/api/session", "/api/openapi.json", "/health", "/metrics"] {
        #expect(try stranger.request("GET", path).status == 200, "\(path)")
      }

      let owner = try bench.browser()
      #expect(try owner.request("GET", "/api/session").json["token"] as? String == owner.token)
      #expect(try owner.request("GET", "/api/status").status == 200)
      let own = "http://127.0.0.1:\(bench.port)"
      #expect(
        try owner.request("POST", "/api/stop", nil, ["Origin: \(own)", "Sec-Fetch-Site: same-origin"]).status == 200)
      #expect(bench.radio?.takeAsked() == ["stop"])
      let token = owner.token
      for (more, code) in [
        (["Origin: http://evil.example"], "origin"), (["Origin: null"], "origin"),
        (["Sec-Fetch-Site: cross-site"], "origin"), (["Sec-Fetch-Site: same-site"], "origin"),
        (["Origin: \(own)", "Origin: http://evil.example"], "origin"), (["Sec-Fetch-Site: "], "origin"),
      ] { #expect(try owner.request("POST", "/api/play", nil, more).code == code, "\(more)") }
      for wrong in ["", "0", String(token.dropLast()), owner.cookie] {
        owner.token = wrong
        #expect(try owner.request("POST", "/api/play").code == "token")
      }
      owner.token = token
      // A form of another page cannot send JSON.
      #expect(try owner.request("POST", "/api/volume", "volume=3", ["Content-Type: text/plain"]).status == 415)
      #expect(bench.radio?.takeAsked() == [])

      #expect(try owner.request("POST", "/api/logout").headers["set-cookie"]?.contains("Max-Age=0") == true)
      #expect(try owner.request("POST", "/api/play").status == 401)
    }
  }

  @Test("A session's cookie works only for the page, and each response excludes other pages")
  func headers() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser(signsIn: false)
      let cookie = try browser.signIn().headers["set-cookie"] ?? ""
      for word in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=2592000"] { #expect(cookie.contains(word)) }
      #expect(!cookie.contains("Secure") && browser.cookie.utf8.count == 64 && browser.token.utf8.count == 64)
      for path in ["/", "/api/status", "/nothing", "/metrics"] {
        let headers = try browser.request("GET", path).headers
        #expect(headers["content-security-policy"]?.hasPrefix("default-src 'none'; script-src 'self';") == true)
        #expect(headers["x-content-type-options"] == "nosniff" && headers["x-frame-options"] == "DENY")
        #expect(headers.keys.allSatisfy { !$0.hasPrefix("access-control") })
        #expect(headers["cache-control"] == (path == "/" ? "no-cache" : "no-store"))
      }
    }
  }

  @Test("A read-only browser changes nothing, and signs in and out (W3)")
  func readOnly() async throws {
    try await Stage.run {
      let bench = try WebBench { options, _ in options.isReadOnly = true }
      let browser = try bench.browser()
      #expect(try browser.request("GET", "/api/session").json["read_only"] as? Bool == true)
      #expect(try browser.request("GET", "/api/presets").status == 200)
      for row in ApiTable.rows where row.method.isWrite && !["/api/login", "/api/logout"].contains(row.path) {
        let path = row.path.replacingOccurrences(of: "{number}", with: "1").replacingOccurrences(of: "{key}", with: "a")
        #expect(try browser.request(row.method.rawValue, path, "{}").code == "readOnly", "\(row.path)")
      }
      #expect(bench.radio?.takeAsked() == [])
      #expect(try browser.request("POST", "/api/logout").status == 200)
    }
  }

  @Test("A path leads only to the table of files; no byte is decoded")
  func paths() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser(signsIn: false)
      let file = try browser.request("GET", "/text/en.json")
      #expect(file.text == "{\"a\":\"b\"}" && file.headers["content-type"] == "application/json")
      let tag = try #require(file.headers["etag"])
      let again = try browser.request("GET", "/text/en.json", nil, ["If-None-Match: \(tag)"])
      #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
      #expect(try browser.request("HEAD", "/core.js").headers["content-length"] == "19")
      for path in [
        "/..", "/../socket", "/text/../core.js", "/%2e%2e/socket", "/core.js%00", "/core%2ejs", "//core.js", "/text",
        "/text/", "/.hidden.txt", "/index.html/", "/etc/passwd", "/core.js\\", "/api", "/api/", "/api/statu",
        "/api/status/",
        "/api/presets/x/move", "/api/presets//move", "/api/rooms/-1", "/api/settings/A", "/api/settings/",
        "/api/rooms/99999", "/" + String(repeating: "a", count: 4_000),
      ] { #expect(try browser.request("GET", path).status == 404, "\(path)") }
      let wrong = try browser.request("PUT", "/api/presets")
      #expect(wrong.status == 405 && wrong.headers["allow"] == "GET, POST")
      #expect(try browser.request("POST", "/core.js").headers["allow"] == "GET")
      #expect(try browser.request("OPTIONS", "/api/status").status == 405)
      #expect(try browser.request("HEAD", "/api/events").status == 405)
    }
  }

  @Test("Heads have at most 8 KiB and bodies 64 KiB; more is refused, and others are served")
  func sizes() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let browser = try bench.browser()
      let long = { String(repeating: "a", count: $0) }
      #expect(try browser.request("GET", "/health", nil, ["X-Long: \(long(7_000))"]).status == 200)
      #expect(try browser.request("GET", "/health", nil, ["X-Long: \(long(8_200))"]).status == 431)
      try browser.reconnect()
      #expect(
        [413, 414, 431].contains(try browser.request("GET", "/health", nil, ["X-Long: \(long(100_000))"]).status))
      try browser.reconnect()
      #expect(try browser.request("POST", "/api/keep", "{\"song\":\"\(long(60_000))\"}").status == 400)
      #expect(try browser.request("POST", "/api/keep", "{\"song\":\"\(long(66_000))\"}").status == 413)
      try browser.reconnect()
      // Without a length, the body is counted on arrival.
      let head = "POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      browser.send(head + "Transfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<20 { browser.send("1000\r\n\(long(4_096))\r\n") }
      browser.send("0\r\n\r\n")
      #expect(try browser.readResponse().status == 413)
      #expect(try bench.browser().request("GET", "/api/status").status == 200)
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import Web

@Suite struct EventTests {
  private static func page(_ bench: WebBench, from: String = "127.0.0.1") throws -> Browser {
    let page = try bench.browser(from: from)
    page.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: bakelite=\(page.cookie)\r\n\r\n")
    let head = try page.readResponse(hasBody: false)
    guard head.status == 200 else { throw Browser.Disconnected() }
    return page
  }

  @Test("A page gets the whole status first, then changes, events, and changed lists (W2)")
  func stream() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let page = try Self.page(bench)
      let whole = try page.nextEvent()
      #expect(whole.name == "status" && whole.data.hasPrefix(#"{"radio":true,"state":"playing","audible":true,"#))
      bench.radio?.change("title: A <b>")
      #expect(try page.nextEvent("change") as NSDictionary == ["title": "A <b>"])
      bench.radio?.set { $0.status.removeAll { $0.hasPrefix("title:") } }
      bench.radio?.note("player")
      #expect(try page.nextEvent("change") as NSDictionary == ["title": NSNull()])
      bench.radio?.tell("{\"t\":1.5,\"event\":\"paused\",\"reason\":\"user\"}\n")
      #expect(try page.nextEvent().data == "{\"t\":1.5,\"event\":\"paused\",\"reason\":\"user\"}")
      for (subsystem, list) in [
        ("playlist", "queue"), ("output", "rooms"), ("database", "directory"), ("stored_playlist", "presets"),
      ] {
        bench.radio?.note(subsystem)
        #expect(try page.nextEvent("list")["list"] as? String == list)
      }
      // Only the whole status has levels.
      bench.radio?.set { $0.status += ["level_l: -1.5", "spectrum: 1 2"] }
      bench.radio?.change("volume: 31", "mixer")
      #expect(try page.nextEvent("change") as NSDictionary == ["volume": 31])
    }
  }

  @Test("A page gets the source that replaces the station, with its times as numbers (F7)")
  func source() async throws {
    try await Stage.run {
      let bench = try WebBench()
      bench.radio?.set {
        $0.status += [
          "source: FIP <b>\u{1B}", "source_for: 65.500", "source_cause: noAudio", "source_next: 6.000", "sources: 3",
        ]
      }
      let page = try Self.page(bench)
      let status = try page.nextEvent("status")
      #expect(status["source"] as? String == "FIP <b>\u{1B}" && status["source_cause"] as? String == "noAudio")
      #expect(status["source_for"] as? Double == 65.5 && status["source_next"] as? Double == 6)
      #expect(status["sources"] as? Int == 3)
    }
  }

  @Test("A page opened just before the radio left is notified (W2)")
  func lost() async throws {
    try await Stage.run {
      let bench = try WebBench()
      bench.radio?.set { $0.silent.insert("radio_status") }
      let page = try Self.page(bench)
      bench.stopRadio()
      #expect(try page.nextEvent("status") as NSDictionary == ["radio": false])
    }
  }

  @Test("A page whose session was displaced gets nothing more (W3)")
  func evicted() async throws {
    try await Stage.run(speed: 5) {
      let bench = try WebBench()
      let page = try Self.page(bench)
      _ = try page.nextEvent("status")
      for _ in 0..<32 { _ = try bench.browser(from: "127.0.0.9") }
      #expect(page.waitForDisconnect())
    }
  }

  @Test("A playing preset has its number, and loses it with the presets")
  func preset() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let page = try Self.page(bench)
      #expect(try page.nextEvent("status")["preset"] as? Int == 2)
      bench.radio?.set { $0.answers["listplaylistinfo"] = ["file: http://one/"] }
      bench.radio?.note("stored_playlist")
      #expect(try page.nextEvent("change") as NSDictionary == ["preset": NSNull()])
    }
  }

  @Test("A radio's loss and return are reported, then the whole status; the page stays (W2)")
  func restart() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let page = try Self.page(bench)
      #expect(try page.nextEvent("status")["volume"] as? Int == 30)
      bench.stopRadio()
      #expect(try page.nextEvent("change") as NSDictionary == ["radio": false])
      let late = try Self.page(bench)
      #expect(try late.nextEvent("status") as NSDictionary == ["radio": false])
      try bench.restartRadio()
      for page in [page, late] { #expect(try page.nextEvent("status")["radio"] as? Bool == true) }
    }
  }

  @Test("A change is visible within 150 ms at the median of ten (W2)")
  func promptness() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let pages = try (0..<8).map { _ in try Self.page(bench) }
      for page in pages { _ = try page.nextEvent("status") }
      var times: [Double] = []
      for volume in 0..<10 {
        usleep(60_000)
        let start = ProcessInfo.processInfo.systemUptime
        bench.radio?.change("volume: \(volume)", "mixer")
        for page in pages { #expect(try page.nextEvent("change")["volume"] as? Int == volume) }
        times.append(ProcessInfo.processInfo.systemUptime - start)
      }
      #expect(times.sorted()[5] < 0.150, "\(times)")
    }
  }

  @Test("Sixteen pages are served; the next waits until one leaves")
  func sixteen() async throws {
    try await Stage.run {
      let bench = try WebBench()
      var pages = try (0..<16).map { try Self.page(bench, from: "127.0.0.\($0 % 3 + 1)") }
      let owner = try bench.browser()
      let refused = try owner.request("GET", "/api/events")
      #expect(refused.status == 503 && refused.code == "pages" && refused.headers["retry-after"] == "5")
      #expect(try owner.request("GET", "/api/status").status == 200)
      pages.removeLast()
      #expect(bench.waits { (try? Self.page(bench)) != nil })
      withExtendedLifetime(pages) {}
    }
  }

  @Test("A page that does not read is disconnected, and the others get everything")
  func slowPage() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let slow = try Self.page(bench, from: "127.0.0.2")
      var small: Int32 = 4_096
      setsockopt(slow.socket, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<Int32>.size))
      let page = try Self.page(bench)
      _ = try page.nextEvent("status")
      let text = String(repeating: "x", count: 30_000)
      for count in 0..<40 {
        bench.radio?.tell("{\"n\":\(count),\"text\":\"\(text)\"}\n")
        #expect(try page.nextEvent("event")["n"] as? Int == count)
      }
      #expect(slow.waitForDisconnect())
      bench.radio?.change("volume: 3", "mixer")
      #expect(try page.nextEvent("change")["volume"] as? Int == 3)
    }
  }

  @Test("A signed-out browser's pages get nothing more")
  func signOut() async throws {
    try await Stage.run {
      let bench = try WebBench()
      let (page, other) = (try Self.page(bench), try Self.page(bench))
      _ = (try page.nextEvent("status"), try other.nextEvent("status"))
      let browser = try bench.browser(signsIn: false)
      (browser.cookie, browser.token) = (page.cookie, page.token)
      #expect(try browser.request("GET", "/api/session").json["signed_in"] as? Bool == true)
      browser.token = try browser.request("GET", "/api/session").json["token"] as? String ?? ""
      #expect(try browser.request("POST", "/api/logout").status == 200)
      #expect(page.waitForDisconnect())
      bench.radio?.change("volume: 3", "mixer")
      #expect(try other.nextEvent("change")["volume"] as? Int == 3)
    }
  }

  @Test("A quiet connection gets a keep-alive each 20 s, and a page may miss one (W2)")
  func signs() async throws {
    try await Stage.run(speed: 20) {
      let bench = try WebBench()
      let page = try Self.page(bench)
      _ = try page.nextEvent("status")
      #expect(try page.nextEvent("sign").isEmpty)
    }
  }
}

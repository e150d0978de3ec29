import Foundation
import StationSupport
import TestSupport
import Testing

@Suite struct WebPanelTests {
  private final class Panel {
    let program: Program
    let port: Int

    init(_ more: [String], name: String = "bakelite", page: TemporaryFolder, socket: String) throws {
      page.write(Array("<!doctype html>".utf8), to: "index.html")
      port = try Loopback.freePort()
      let words = (name == "bakelite" ? ["web"] : []) + ["--listen", "127.0.0.1:\(port)"]
      program = try Program(words + ["--files", page.path, "--socket", socket] + more, name: name)
      #expect(program.waitForError("The panel is at http"))
    }

    /// The sign-in code that the program printed; nil if missing.
    var code: String? {
      guard program.waitForError("Code: ") else { return nil }
      return program.errorsSoFar.firstMatch(of: /Code: (\w+)/).map { String($0.1) }
    }

    func end() throws -> Program.Outcome {
      program.signal(SIGTERM)
      return try program.waitForEnd(within: 5)
    }
  }

  private static func browser(_ panel: Panel, _ password: String) throws -> Browser {
    let browser = try Browser(panel.port)
    #expect(try browser.signIn(password).status == 200)
    return browser
  }

  @Test("A recording of a real radio is listed, downloaded in parts, and deleted")
  func recordings() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation { _ in StationAction.onAir(.mp3(60)) }
      defer { station.close() }
      let folder = TemporaryFolder()
      folder.write(clip.bytes, to: "Søng 1.mp3")
      let socket = folder.path + "/socket"
      let radio = try Program(
        ["play", "--output", "null", "--control", socket, "--recordings", folder.path, station.url()])
      defer { radio.signal(SIGKILL) }
      let panel = try Panel([], page: TemporaryFolder(), socket: socket)
      let browser = try Self.browser(panel, try #require(panel.code))
      let path = "recordings/S%C3%B8ng%201.mp3"
      func list() throws -> [[String: Any]] {
        try browser.request("GET", "/api/recordings").json["recordings"] as? [[String: Any]] ?? []
      }
      let end = monotonicSeconds() + 10
      while try list().isEmpty, monotonicSeconds() < end { usleep(20_000) }
      let entry = try #require(try list().first)
      #expect(entry["recording"] as? String == "Søng 1.mp3" && entry["bytes"] as? Int == clip.bytes.count)
      #expect(abs((entry["duration"] as? Double ?? 0) - 20) < 1 && entry["growing"] as? Bool == false)
      let whole = try browser.request("GET", "/\(path)")
      #expect(whole.status == 200 && whole.body == clip.bytes)
      let part = try browser.request("GET", "/\(path)", nil, ["Range: bytes=1000-"])
      #expect(part.status == 206 && part.body == Array(clip.bytes[1_000...]))
      #expect(try browser.request("POST", "/api/\(path)/play").status == 200)
      #expect(try browser.request("DELETE", "/api/\(path)").status == 200)
      #expect(try list().isEmpty && folder.bytes(of: "Søng 1.mp3").isEmpty)
      #expect(try browser.request("GET", "/\(path)").status == 404)
      radio.interrupt()
      #expect(try radio.waitForEnd().code == 0)
      #expect(try panel.end().code == 0)
    }
  }

  @Test("The panel controls a real radio: volume, pause, mute, seek and stop (W1, W4)")
  func realRadio() async throws {
    try await Stage.run {
      let clip = Clip.mp3(20)
      let station = try ScriptedStation { _ in
        [.live(), .pace(clip.bytes, perSecond: clip.byteRate, burst: 160_000), .stall]
      }
      defer { station.close() }
      let folder = TemporaryFolder()
      let socket = folder.path + "/socket"
      let radio = try Program(["play", "--output", "null", "--control", socket, station.url()])
      defer { radio.signal(SIGKILL) }
      let hash = folder.path + "/password"
      let made = try Program(
        ["web", "--set-password", "--password-file", hash],
        by: ["/bin/sh", "-c", "printf 'correct horse\\n' | \"$0\" \"$@\""]
      ).waitForEnd()
      #expect(made.code == 0 && made.errors.contains(hash) && made.outputText == "")
      let panel = try Panel(["--password-file", hash], page: folder, socket: socket)
      let browser = try Self.browser(panel, "correct horse")
      func becomes(_ key: String, _ isSo: (Any?) -> Bool) -> Bool {
        let end = monotonicSeconds() + 10
        while monotonicSeconds() < end {
          if let status = try? browser.request("GET", "/api/status").json, isSo(status[key]) { return true }
          usleep(20_000)
        }
        return false
      }
      #expect(becomes("state") { $0 as? String == "playing" })
      #expect(try browser.request("GET", "/health").text == #"{"state":"playing"}"#)
      #expect(try browser.request("POST", "/api/volume", "{\"volume\":37}").status == 200)
      #expect(becomes("volume") { $0 as? Int == 37 })
      #expect(try browser.request("POST", "/api/mute", "{\"muted\":true}").status == 200)
      #expect(becomes("muted") { $0 as? Bool == true })
      #expect(try browser.request("GET", "/health").text == #"{"state":"muted"}"#)
      #expect(try browser.request("POST", "/api/mute", "{\"muted\":false}").status == 200)
      #expect(try browser.request("POST", "/api/toggle").status == 200)
      #expect(becomes("state") { $0 as? String == "paused" })
      #expect(try browser.request("POST", "/api/toggle").status == 200)
      #expect(becomes("state") { $0 as? String == "playing" })
      #expect(try browser.request("POST", "/api/oldest").status == 200)
      #expect(try browser.request("POST", "/api/seek", "{\"by\":2}").status == 200)
      #expect(try browser.request("POST", "/api/live").status == 200)
      #expect((try browser.request("GET", "/api/presets").json["presets"] as? [Any])?.count == 1)
      #expect(try browser.request("GET", "/api/settings").code == "unknown")
      #expect(try browser.request("POST", "/api/stop").status == 200)
      #expect(becomes("state") { $0 as? String == "stopped" })
      #expect(try browser.request("GET", "/metrics").text.contains("bakelite_state{state=\"stopped\"} 1\n"))
      radio.interrupt()
      #expect(try radio.waitForEnd().code == 0)
      #expect(becomes("error") { $0 as? String == "No radio answers." })
      #expect(try panel.end().code == 0)
    }
  }

  @Test("The panel shows and changes a box's settings, presets and display (W4)")
  func realBox() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/one"), ("Two", "http://127.0.0.1:9/two")])
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let page = TemporaryFolder()
      let panel = try Panel([], name: "bakelite-web", page: page, socket: box.socket)
      let code = try #require(panel.code)
      let browser = try Self.browser(panel, code.lowercased())
      let settings = try browser.request("GET", "/api/settings").json["settings"] as? [[String: String]] ?? []
      #expect(settings.contains(["key": "panel.scroll_ms", "value": "350", "default": "350", "applies": "now"]))
      let set = try browser.request("PUT", "/api/settings/panel.scroll_ms", "{\"value\":200}")
      #expect(set.json as? [String: String] == ["applies": "now", "key": "panel.scroll_ms", "value": "200"])
      #expect(try browser.request("PUT", "/api/settings/panel.scroll_ms", "{\"value\":5}").status == 409)
      #expect(try browser.request("DELETE", "/api/settings/panel.scroll_ms").json["value"] as? String == "350")
      let body = #"{"name":"Three \"3\"","url":"http://127.0.0.1:9/three","number":1}"#
      #expect(try browser.request("POST", "/api/presets", body).status == 200)
      #expect(try browser.request("PATCH", "/api/presets/3", #"{"gain":-3,"name":"Second"}"#).status == 200)
      #expect(try browser.request("POST", "/api/presets/3/move", #"{"number":1}"#).status == 200)
      let names = {
        (try browser.request("GET", "/api/presets").json["presets"] as? [[String: Any]] ?? []).map {
          $0["name"] as? String
        }
      }
      #expect(try names() == ["Second", "Three \"3\"", "One"])
      #expect(try browser.request("DELETE", "/api/presets/2").status == 200)
      #expect(try names() == ["Second", "One"])
      #expect((try browser.request("GET", "/api/display").json["lines"] as? [String])?.isEmpty == false)
      #expect(try browser.request("GET", "/api/moved").text == #"{"moved":[]}"#)
      #expect(try browser.request("GET", "/api/find?words=a").code == "noDirectory")
      #expect(try panel.end().code == 0)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The panel has the code of the radio's display, also after the radio draws another; a sign-in hides it (W3)")
  func sharedCode() async throws {
    try await Stage.run {
      let box = try Box("[web]\nenabled = true\n", stations: [("One", "http://127.0.0.1:9/one")])
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      func shown() -> String? {
        peer.request("radio_web")?.first { $0.hasPrefix("code: ") }.map { String($0.dropFirst(6)) }
      }
      let first = try #require(shown())
      let page = TemporaryFolder()
      let panel = try Panel([], page: page, socket: box.socket)
      #expect(panel.code == first && peer.waitForDisplay("Code: \(first)"))
      let guest = try Self.browser(panel, first)
      for isOn in [false, true] {
        #expect(peer.request("radio_setting web.enabled \(isOn)")?.first == "applies: now")
      }
      let second = try #require(shown())
      #expect(second != first && panel.program.waitForError("Code: \(second)"))
      #expect(try Browser(panel.port).signIn(first).status == 401)
      let end = monotonicSeconds() + 10
      while try guest.request("GET", "/api/status").status != 401, monotonicSeconds() < end { usleep(20_000) }
      #expect(try guest.request("GET", "/api/status").status == 401, "another code ends the sign-ins")
      _ = try Self.browser(panel, second)
      #expect(box.fileBecomes("web-code") { $0.contains("code=\(second)\nused=yes\n") })
      #expect(try panel.end().code == 0)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("16 open pages need at most 6 MiB of memory and one thread (W2)")
  func memory() async throws {
    try await Stage.run {
      let box = try Box(stations: [("One", "http://127.0.0.1:9/one")])
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let page = TemporaryFolder()
      let panel = try Panel([], name: "bakelite-web", page: page, socket: box.socket)
      let code = try #require(panel.code)
      let pages = try (0..<16).map { _ in
        let browser = try Self.browser(panel, code)
        browser.send("GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: bakelite=\(browser.cookie)\r\n\r\n")
        #expect(try browser.readResponse(hasBody: false).status == 200)
        // The first event may precede the connection to the radio.
        while try browser.nextEvent("status")["radio"] as? Bool != true {}
        return browser
      }
      let browser = try Self.browser(panel, code)
      for volume in 0..<20 {
        #expect(try browser.request("POST", "/api/volume", "{\"volume\":\(volume)}").status == 200)
      }
      for page in pages { while try page.nextEvent("change")["volume"] as? Int != 19 {} }
      if !Sanitizer.isOn { #expect(panel.program.anonymousKibibytes <= 6 * 1_024) }
      #expect(panel.program.threadCount == 1)
      #expect(try panel.end().code == 0)
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test(
    "HTTPS works with certificate files; a connection without a handshake ends by itself (W3)",
    .enabled(if: OpenSSL.path != nil && Repository.tool("curl") != nil, "needs openssl and curl"))
  func encrypted() async throws {
    try await Stage.run {
      let tls = try OpenSSL(name: "localhost", from: 2_020, to: 2_040)
      let page = TemporaryFolder()
      let more = ["--certificate", tls.certificate, "--key", tls.key]
      let panel = try Panel(more, page: page, socket: page.path + "/socket")
      let code = try #require(panel.code)
      let silent = try (0..<8).map { _ in try Browser(panel.port) }
      silent[0].send("\u{16}\u{3}\u{1}")
      let curl = try #require(Repository.tool("curl"))
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: curl)
      process.arguments = [
        "-si", "--cacert", tls.certificate, "-H", "Content-Type: application/json", "-d", "{\"password\":\"\(code)\"}",
        "https://localhost:\(panel.port)/api/login",
      ]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(text.contains(" 200") && text.contains("; Secure") && text.contains("\"signed_in\":true"), "\(text)")
      for browser in silent { #expect(browser.waitForDisconnect()) }
      #expect(try panel.end().code == 0)
    }
  }

  @Test(
    "The panel serves on the service manager's socket, and reports that it is ready",
    .enabled(if: Repository.tool("python3") != nil, "needs python3"))
  func socketUnit() async throws {
    try await Stage.run {
      let page = TemporaryFolder()
      page.write(Array("<!doctype html>".utf8), to: "index.html")
      let manager = try ServiceListener(page.path + "/notify")
      let port = try Loopback.freePort()
      let script = """
        import os, socket, sys
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", \(port)))
        listener.listen(8)
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)
        os.execve(sys.argv[1], sys.argv[1:], {**os.environ, "LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})
        """
      let python = try #require(Repository.tool("python3"))
      let program = try Program(
        ["web", "--files", page.path, "--socket", page.path + "/socket"], by: [python, "-c", script],
        environment: ["NOTIFY_SOCKET": page.path + "/notify"])
      #expect(manager.receives("READY=1"))
      #expect(try Browser(port).request("GET", "/api/session").json["radio"] as? Bool == false)
      program.signal(SIGTERM)
      #expect(try program.waitForEnd(within: 5).code == 0)
      #expect(manager.receives("STOPPING=1"))
    }
  }

  @Test("Wrong use gives 2, an unservable panel 1, each with a sentence")
  func wrongUse() throws {
    let page = TemporaryFolder()
    for (words, code, sentence) in [
      (["web", "--key", "k"], 2, "require each other"),
      (["web", "--listen", "radio:80"], 2, "must be a numeric address and a port"),
      (["web", "--files", page.path], 1, "has no page"), (["web", "--files", "/nowhere"], 1, "cannot be read"),
      (["web", "--password-file", "/nowhere"], 1, "--set-password"),
    ] as [([String], Int32, String)] {
      let outcome = try Program(words).waitForEnd()
      #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome.errors)")
    }
    page.write(Array("<!doctype html>".utf8), to: "index.html")
    page.write(Array("no certificate".utf8), to: "pem")
    let pem = page.path + "/pem"
    let words = ["web", "--listen", "127.0.0.1:\(try Loopback.freePort())", "--files", page.path]
    let outcome = try Program(words + ["--certificate", pem, "--key", pem]).waitForEnd()
    #expect(outcome.code == 1 && outcome.errors.contains("cannot be used"), "\(outcome.errors)")
  }
}

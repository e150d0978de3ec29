import Foundation
import TestSupport
import Testing

/// Runs `bakelite-web --service` with a box, which supplies the panel's settings (W3).
@Suite struct WebServiceTests {
  /// The panel's program as its unit starts it, with a service manager.
  private struct Service {
    let program: Program
    let manager: ServiceListener
    private let folder: TemporaryFolder

    init(_ folder: TemporaryFolder, socket: String, environment: [String: String] = [:]) throws {
      self.folder = folder
      folder.write(Array("<!doctype html>".utf8), to: "page/index.html")
      let notify = folder.path + "/notify"
      manager = try ServiceListener(notify)
      program = try Program(
        ["--service", "--files", folder.path + "/page", "--socket", socket], name: "bakelite-web",
        environment: ["NOTIFY_SOCKET": notify].merging(environment) { $1 })
    }
  }

  private static func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/page", withIntermediateDirectories: true)
    return folder
  }

  @Test("The panel waits for the radio, reports a sign-in, and ends when switched off (W3)")
  func code() async throws {
    try await Stage.run {
      let port = try Loopback.freePort()
      let box = try Box(
        "[web]\nenabled = true\nlisten = \"127.0.0.1:\(port)\"\n", stations: [("One", "http://127.0.0.1:9/one")])
      let service = try Service(try Self.folder(), socket: box.socket)
      try box.start("null")
      #expect(box.manager.receives("READY=1") && service.manager.receives("READY=1"))
      let peer = try ControlPeer(box.socket)
      let code = try #require(
        peer.request("radio_web")?.first { $0.hasPrefix("code: ") }.map { String($0.dropFirst(6)) })
      #expect(peer.waitForDisplay("Code: \(code)"))
      let browser = try Browser(port)
      #expect(try browser.signIn(code).status == 200)
      #expect(box.fileBecomes("web-code") { $0.contains("used=yes") })
      #expect(peer.request("radio_display")?.contains { $0.contains(code) } == false)
      let status = try browser.request("GET", "/api/status").json
      #expect((status["board"] as? String)?.isEmpty == false, "\(status)")
      #expect(peer.request("radio_setting panel.scroll_ms 200")?.first == "applies: now")
      #expect(try browser.request("GET", "/api/session").json["signed_in"] as? Bool == true)
      #expect(peer.request("radio_setting web.enabled false")?.first == "applies: now")
      let outcome = try service.program.waitForEnd(within: 10)
      #expect(outcome.code == 0 && service.manager.receives("STOPPING=1"), "\(outcome.errors)")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("The panel outlasts the radio, and ends with 0 for changed settings (W3)")
  func changed() async throws {
    try await Stage.run {
      let port = try Loopback.freePort()
      let folder = try Self.folder()
      let made = try Program(
        ["web", "--set-password", "--password-file", folder.path + "/keys/web.password"],
        by: ["/bin/sh", "-c", "mkdir '\(folder.path)/keys'; printf 'correct horse\\n' | \"$0\" \"$@\""]
      ).waitForEnd()
      #expect(made.code == 0, "\(made.errors)")
      let box = try Box(
        "[web]\nenabled = true\nlisten = \"127.0.0.1:\(port)\"\npassword_file = \"web.password\"\n",
        stations: [("One", "http://127.0.0.1:9/one")])
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      let service = try Service(
        folder, socket: box.socket, environment: ["CREDENTIALS_DIRECTORY": folder.path + "/keys"])
      #expect(service.manager.receives("READY=1"))
      let browser = try Browser(port)
      #expect(try browser.signIn("correct horse").status == 200)
      #expect(try box.switchOff().code == 0)
      let end = monotonicSeconds() + 10
      func isThere() throws -> Bool { try browser.request("GET", "/api/session").json["radio"] as? Bool == true }
      while try isThere(), monotonicSeconds() < end { usleep(20_000) }
      try box.start("null")
      #expect(box.manager.receives("READY=1"))
      while try !isThere(), monotonicSeconds() < end + 10 { usleep(20_000) }
      #expect(try browser.request("POST", "/api/volume", "{\"volume\":12}").status == 200, "one stays signed in")
      let peer = try ControlPeer(box.socket)
      #expect(peer.request("radio_setting web.read_only true")?.first == "applies: now")
      let outcome = try service.program.waitForEnd(within: 10)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try box.switchOff().code == 0)
    }
  }

  @Test("A disabled panel reports ready and ends; an unservable one reports the reason (W3)")
  func ends() async throws {
    try await Stage.run {
      for (settings, code, sentence) in [
        ("", 0, ""), ("[web]\nenabled = true\n", 1, "There is no socket to serve the panel at"),
        ("[web]\nenabled = true\npassword_file = \"web.password\"\n", 1, "web.password in [web] is no path"),
        ("[web]\nenabled = true\npassword_file = \"/nowhere\"\n", 1, "--set-password"),
      ] as [(String, Int32, String)] {
        let box = try Box(settings, stations: [("One", "http://127.0.0.1:9/one")])
        try box.start("null")
        #expect(box.manager.receives("READY=1"))
        let service = try Service(try Self.folder(), socket: box.socket)
        let outcome = try service.program.waitForEnd(within: 10)
        #expect(outcome.code == code && (sentence.isEmpty || outcome.errors.contains(sentence)), "\(outcome.errors)")
        #expect(service.manager.receives("READY=1", within: 1) == (code == 0))
        #expect(try box.switchOff().code == 0)
      }
    }
  }

  @Test("The panel ends on request while no radio runs (W3)")
  func waiting() async throws {
    try await Stage.run {
      let folder = try Self.folder()
      let service = try Service(folder, socket: folder.path + "/socket")
      #expect(!service.manager.receives("READY=1", within: 0.5))
      service.program.signal(SIGTERM)
      #expect(try service.program.waitForEnd(within: 5).code == 0)
    }
  }
}

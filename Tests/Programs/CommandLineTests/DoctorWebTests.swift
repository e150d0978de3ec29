import Foundation
import Settings
import TestSupport
import Testing
import Units

@testable import bakelite

private enum Panels {
  static let on: WebSettings = settings { $0.isEnabled = true }

  static func settings(_ change: (inout WebSettings) -> Void) -> WebSettings {
    var settings = WebSettings()
    change(&settings)
    return settings
  }

  static let listening: WebSettings = settings {
    ($0.isEnabled, $0.listen) = (true, ["127.0.0.1:9090", "0.0.0.0:8080"].compactMap { ListenAddress($0) })
  }
  static let secure: WebSettings = settings { ($0.isEnabled, $0.certificate, $0.key) = (true, "/c", "/k") }
}

/// Tests the finding for the web panel (W3).
@Suite struct DoctorWebTests {
  private static let outcomes: [(WebSettings, DoctorWeb.Visit?, DoctorFinding.Verdict, said: String, mend: String)] = [
    (WebSettings(), nil, .ok, "is off", ""), (Panels.on, nil, .skipped, "while the radio runs", ""),
    (Panels.on, .answers, .ok, ".local/.", ""), (Panels.listening, .answers, .ok, ".local:8080/.", ""),
    (Panels.secure, .listens, .ok, "listens at https://", ""),
    (Panels.on, .isOther, .problem, "Another program answers at port 80", "ss"),
    (Panels.listening, .isSilent, .problem, "does not answer at 0.0.0.0:8080", "journalctl"),
    (Panels.on, .isClosed, .problem, "no server listens at port 80", "bakelite-web.socket"),
    (
      Panels.listening, .isClosed, .problem, "no server listens at 0.0.0.0:8080",
      "bakelite-web.path bakelite-web.service"
    ),
  ]

  @Test("The result of a visit decides about the panel (W3)", arguments: outcomes)
  func visit(
    _ look: (WebSettings, DoctorWeb.Visit?, DoctorFinding.Verdict, said: String, mend: String)
  ) {
    var web = DoctorWeb(look.0, file: "/b.toml")
    web.visit = look.1
    let finding = web.finding
    #expect(finding.subject == "web" && finding.verdict == look.2)
    #expect(finding.words.contains(look.said), "\(finding.words)")
    #expect(finding.mend?.contains(look.mend) ?? look.mend.isEmpty, "\(finding.mend ?? "")")
  }

  @Test("A trial's panel is started by a command instead of a unit (W3)")
  func trial() throws {
    let folder = TemporaryFolder()
    let text = "[control]\nsocket = \"/tmp/my socket\"\n[web]\nenabled = true\nlisten = \"0.0.0.0:8080\"\n"
    let path = folder.write(Array(text.utf8), to: "bakelite.toml")
    let configuration = try Configuration(path: path, replacesValues: true)
    for visit in [DoctorWeb.Visit.isClosed, .isSilent] {
      for hasUnit in [true, false] {
        var web = DoctorWeb.find(configuration, file: path, hasUnit: hasUnit)
        web.visit = visit
        let mend = try #require(web.finding.mend)
        let units = ["systemctl", "journalctl", ".service"].contains { mend.contains($0) }
        #expect(units == hasUnit, "\(mend)")
        #expect(mend.contains("--socket '/tmp/my socket' --listen 0.0.0.0:8080") == !hasUnit, "\(mend)")
      }
    }
  }

  @Test("Units belong to the installed settings, and to the settings that the radio's unit names")
  func units() {
    let folder = TemporaryFolder()
    let path = folder.write([], to: "bakelite.toml")
    #expect(DoctorUnit.starts(with: "/etc/bakelite/bakelite.toml", in: []))
    #expect(!DoctorUnit.starts(with: path, in: [folder.path]) && !DoctorUnit.starts(with: "config/try.toml"))
    for start in ["--config \(path)", "--config=\"\(path)\""] {
      folder.write(Array("[Service]\nExecStart=/usr/bin/bakelited \(start)\n".utf8), to: "bakelite.service")
      #expect(DoctorUnit.starts(with: path, in: [folder.path]), "\(start)")
      #expect(!DoctorUnit.starts(with: path + ".old", in: [folder.path]))
    }
    folder.write(Array("[Service]\nExecStart=/usr/bin/bakelited\n".utf8), to: "bakelite.service")
    #expect(!DoctorUnit.starts(with: path, in: [folder.path]))
    mkdir(folder.path + "/bakelite.service.d", 0o700)
    let addition = "[Service]\nExecStart=\nExecStart=/usr/bin/bakelited --config \(path)\n"
    folder.write(Array(addition.utf8), to: "bakelite.service.d/override.conf")
    #expect(DoctorUnit.starts(with: path, in: [folder.path]))
  }

  @Test("A room has no panel, and a missing password admits no client (W3)")
  func others() {
    var web = DoctorWeb(Panels.on, file: "/b.toml")
    web.visit = .answers
    web.password = .absent(path: "/etc/credstore/bakelite-web.password")
    #expect(web.finding.verdict == .problem && web.finding.words.contains("does not exist"))
    #expect(web.finding.mend == "sudo bakelite web --set-password")
    web.password = .absent(path: "/srv/my hash")
    #expect(web.finding.mend == "sudo bakelite web --set-password --password-file '/srv/my hash'")
    web.isRoom = true
    #expect(web.finding.words.contains("no effect") && web.finding.mend?.contains("/b.toml") == true)
  }

  @Test("A visit distinguishes the panel, another server, a silent one and a missing one (W3)")
  func visits() async throws {
    try await Stage.run {
      let answers: [(String, DoctorWeb.Visit)] = [
        ("HTTP/1.1 200 OK\r\n\r\n{\"signed_in\":false}", .answers), ("HTTP/1.1 200 OK\r\n\r\n<html>", .isOther),
        ("HTTP/1.1 404 Not Found\r\n\r\n", .isOther), ("", .isSilent),
      ]
      for (answer, visit) in answers {
        let server = try LineServer { connection in
          while let line = connection.readLine(), !line.isEmpty, line != "\r" {}
          connection.send(answer)
        }
        defer { server.close() }
        var settings = Panels.on
        settings.listen = ["0.0.0.0:\(server.port)"].compactMap { ListenAddress($0) }
        #expect(DoctorWeb.visit(settings) == visit, "\(answer)")
        (settings.certificate, settings.key) = ("/c", "/k")
        #expect(DoctorWeb.visit(settings) == .listens)
      }
      var settings = Panels.on
      settings.listen = ["127.0.0.1:\(try Mosquitto.freePort())"].compactMap { ListenAddress($0) }
      #expect(DoctorWeb.visit(settings) == .isClosed)
    }
  }

  @Test("doctor has one finding for the panel, from settings and run-time changes (W3)")
  func finding() async throws {
    try await Stage.run {
      let folder = TemporaryFolder()
      func look(_ lines: String) throws -> String {
        let text = "[web]\n\(lines)\n[state]\npath = \"\(folder.path)\"\n"
        folder.write(Array(text.utf8), to: "bakelite.toml")
        let run = try Program.run("doctor", "--json", "--config", folder.path + "/bakelite.toml")
        let found = run.outputText.split(separator: "\n").filter { $0.contains("\"check\":\"web\"") }
        return found.count == 1 ? String(found[0]) : "\(found)"
      }
      #expect(try look("").contains("\"ok\",\"message\":\"The web panel is off"))
      folder.write(Array("[web]\nenabled = true\n".utf8), to: "owner.toml")
      let absent = try look("password_file = \"\(folder.path)/none\"")
      #expect(absent.contains("\"problem\"") && absent.contains("\(folder.path)/none"))
      let room = try look("\n[audio]\noutput = \"room\"\n")
      #expect(room.contains("\"problem\"") && room.contains("no effect"))
    }
  }
}

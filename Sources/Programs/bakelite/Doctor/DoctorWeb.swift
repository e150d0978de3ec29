import Glibc
import Settings
import System
import Units

struct DoctorWeb {
  enum Visit: Equatable {
    case answers
    /// A server accepts connections at the port of an encrypted panel; TLS was not checked.
    case listens
    case isOther
    case isSilent
    case isClosed
  }

  enum Password: Equatable {
    /// The file exists, only root can check that, or a code replaces the password.
    case fine
    case absent(path: String)
    /// The file has bytes that make the hash invalid and that an editor does not show.
    case damaged(DoctorFinding)
  }

  let settings: WebSettings
  let file: String
  /// True for a room. Rooms have no web panel.
  var isRoom = false
  var password = Password.fine
  var isKnown = true
  /// The command that serves the panel of a radio without units; nil for the installed radio.
  var command: String?
  /// Nil if no radio runs, because the panel is served only while a radio runs.
  var visit: Visit?

  private static let subject = "web"

  init(_ settings: WebSettings, file: String) { (self.settings, self.file) = (settings, file) }

  var finding: DoctorFinding {
    guard isKnown else { return .skipped(Self.subject, "The settings of the web panel cannot be read.") }
    guard settings.isEnabled else {
      let command = "bakelite ctl setting web.enabled true"
      return .ok(Self.subject, "The web panel is off; start it from the box's menu or with `\(command)`.")
    }
    guard !isRoom else {
      return .problem(
        Self.subject, "[web] has no effect with output = \"room\": the web panel is on the radio's box.",
        mend: "write enabled = false below [web] in \(file)")
    }
    if case .damaged(let finding) = password { return finding }
    if case .absent(let path) = password {
      let place = path == Defaults.webPasswordFile ? "" : " --password-file \(path.shellWord)"
      return .problem(
        Self.subject, "[web] password_file is \(path), which does not exist, so no user can sign in.",
        mend: "\(OwnFiles.command("bakelite web", changing: path)) --set-password\(place)")
    }
    guard let visit else {
      return .skipped(Self.subject, "The web panel is on, but is served only while the radio runs.")
    }
    return finding(of: visit)
  }

  private func finding(of visit: Visit) -> DoctorFinding {
    let place = settings.mainAddress.map { "\($0)" } ?? "port \(settings.port)"
    let name = (settings.isEncrypted ? "" : "http://") + settings.address(of: MachineName.own.local) + "/"
    switch visit {
    case .answers: return .ok(Self.subject, "The web panel answers at \(name).")
    case .listens: return .ok(Self.subject, "A server listens at \(name).")
    case .isOther:
      return .problem(
        Self.subject, "Another program answers at \(place), where the web panel should.",
        mend: "sudo ss -tlnp   # or change [web] listen in \(file)")
    case .isSilent:
      return .problem(
        Self.subject, "The web panel does not answer at \(place).",
        mend: command.map { "end the program that serves the panel, then: \($0)" } ?? "journalctl -u bakelite-web")
    case .isClosed:
      let unit = settings.listen.isEmpty ? " bakelite-web.socket" : ""
      return .problem(
        Self.subject, "The web panel is on, but no server listens at \(place).",
        mend: command ?? "systemctl status bakelite-web.path\(unit) bakelite-web.service")
    }
  }
}

extension DoctorWeb {
  /// Checks this machine, and visits the panel of a running radio for a second or two. `hasUnit`: true for the settings
  /// of the installed radio.
  static func find(_ configuration: Configuration, file: String, hasUnit: Bool) -> DoctorWeb {
    var look = DoctorWeb(configuration.web, file: file)
    if !hasUnit { look.command = command(configuration) }
    look.isRoom = configuration.audio.output == .room
    guard look.settings.isEnabled, !look.isRoom else { return look }
    look.password = password(look.settings.passwordFile)
    if !ProcFile.processes(called: "bakelited").isEmpty { look.visit = visit(look.settings) }
    return look
  }

  /// Returns the command that serves the panel by hand.
  private static func command(_ configuration: Configuration) -> String {
    let files = access(Defaults.pageFolder, F_OK) == 0 ? "" : " --files config/web"
    let listen = configuration.web.listen.map { " --listen \($0)" }.joined()
    return "bakelite web\(files) --socket \(configuration.control.socket.shellWord)\(listen)"
  }

  private static func password(_ place: String) -> Password {
    guard !place.isEmpty else { return .fine }
    let path = place.contains("/") ? place : "/etc/credstore/\(place)"
    guard access(path, F_OK) == 0 || errno != ENOENT else { return .absent(path: path) }
    return DoctorFiles.secret(subject, path).map { .damaged($0) } ?? .fine
  }

  /// Connects to the panel. Without TLS, also requests the session, as a page does.
  static func visit(_ settings: WebSettings) -> Visit {
    let all = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    let host = settings.mainAddress.map { all[$0.host] ?? $0.host } ?? "127.0.0.1"
    let connection = LocalConnection.open(host, Int(settings.port))
    guard connection.isOpen else { return .isClosed }
    guard !settings.isEncrypted else { return .listens }
    let answer = LocalConnection.ask(
      connection, "GET /api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    guard !answer.isEmpty else { return .isSilent }
    return answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\"signed_in\"") ? .answers : .isOther
  }
}

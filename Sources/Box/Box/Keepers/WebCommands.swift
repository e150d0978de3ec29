import Control

enum WebCommands {
  /// Returns the commands. `box` must outlive them.
  static func rows(_ box: any BoxControls) -> [ControlCommand] {
    [
      ControlCommand(
        "radio_web", "[login]", 0...1, .admin,
        "lists the settings of the web panel; login reports a login; only by the Unix socket"
      ) { [unowned box] call throws(ControlRefusal) in
        try call.requireLocal()
        guard let word = call[0] else { return writeSettings(box.web, &call.answer) }
        guard word == "login" else { throw ControlRefusal(.argument, "There is no \(word); there is login") }
        box.web.recordLogin()
      }
    ]
  }

  private static func writeSettings(_ web: WebKeeper, _ answer: inout ControlAnswer) {
    let settings = web.settings
    answer.add([
      "enabled": settings.isEnabled, "listen": settings.listen.map(\.description).joined(separator: ","),
      "certificate": settings.certificate, "key": settings.key, "read_only": settings.isReadOnly,
      "password_file": settings.passwordFile, "code": web.code?.text,
    ])
  }
}

import Units

/// The radio's settings for the panel (`radio_web`).
struct WebOrders: Equatable {
  let lines: [AnswerLine]

  init(_ lines: [AnswerLine]) { self.lines = lines }

  private subscript(key: String) -> String? {
    lines.first { $0.key == key }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  var isEnabled: Bool { self["enabled"] == "1" }

  /// The sign-in code; nil if the password is in a file.
  var code: String? { self["code"] }

  /// Returns the options for serving; page files and socket come from `options`. A file name without "/" is a
  /// credential in the folder `credentials` (`LoadCredential=`, systemd.exec(5)).
  func options(_ options: WebOptions, credentials: String?) throws(WebError) -> WebOptions {
    func place(_ key: String) throws(WebError) -> String? {
      guard let name = self[key], !name.contains("/") else { return self[key] }
      guard let credentials else { throw .noCredential(name) }
      return "\(credentials)/\(name)"
    }
    var options = options
    if let text = self["listen"] {
      options.listen = try ListenAddress.parts(of: text).map { part throws(WebError) in
        guard let address = ListenAddress(part) else { throw .noOrders("\(part) is no address") }
        return address
      }
    }
    options.certificate = try place("certificate")
    options.key = try place("key")
    options.passwordFile = try place("password_file")
    options.isReadOnly = self["read_only"] == "1"
    options.reportsLogin = options.passwordFile == nil
    guard (code == nil) != (options.passwordFile == nil) else { throw .noOrders("it sent no password") }
    return options
  }
}

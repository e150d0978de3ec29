extension StationSettings {
  /// Returns name and password; nil without a user. If `user` names a file or a credential, this method reads it.
  public func signIn() throws(SettingsError) -> (name: String, password: String)? {
    try user.map { text throws(SettingsError) in try Settings.signIn(text, of: name) }
  }
}

extension StationAlternative {
  /// Returns name and password; nil without a user. If `user` names a file or a credential, this method reads it.
  public func signIn() throws(SettingsError) -> (name: String, password: String)? {
    try user.map { text throws(SettingsError) in try Settings.signIn(text, of: "\(url)") }
  }
}

/// Returns name and password of a `user`. `subject`: the station, for an error.
private func signIn(_ user: String, of subject: String) throws(SettingsError) -> (name: String, password: String) {
  var text = user[...]
  if user.hasPrefix("@") {
    text = try SmallFile.secret(String(user.dropFirst()))[...]
  }
  guard let colon = text.firstIndex(of: ":") else {
    throw SettingsError(user.hasPrefix("@") ? String(user.dropFirst()) : subject, "it contains no NAME:PASSWORD")
  }
  return (String(text[..<colon]), String(text[text.index(after: colon)...]))
}

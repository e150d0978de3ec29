extension StationSettings {
  /// Returns name and password; nil without a user. If `user` names a file or a credential, this method reads it.
  public func signIn() throws(SettingsError) -> (name: String, password: String)? {
    guard let user else { return nil }
    var text = user[...]
    if user.hasPrefix("@") {
      text = try SmallFile.secret(String(user.dropFirst()))[...]
    }
    guard let colon = text.firstIndex(of: ":") else {
      throw SettingsError(user.hasPrefix("@") ? String(user.dropFirst()) : name, "it contains no NAME:PASSWORD")
    }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }
}

extension StationSettings {
  /// Returns name and password, read from the file or credential that `user` may name; nil without a user.
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

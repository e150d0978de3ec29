extension StationSettings {
  /// Name and password for the station, out of the file or credential where `user` names one; nil where there are none.
  ///
  /// - Throws: `SettingsError` where the file cannot be read, or holds no `NAME:PASSWORD`.
  public func signIn() throws(SettingsError) -> (name: String, password: String)? {
    guard let user else { return nil }
    var text = user[...]
    if user.hasPrefix("@") {
      text = try SmallFile.secret(String(user.dropFirst()))[...]
    }
    guard let colon = text.firstIndex(of: ":") else {
      throw SettingsError(user.hasPrefix("@") ? String(user.dropFirst()) : name, "it holds no NAME:PASSWORD")
    }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }
}

import Glibc

/// The folder in which the radio keeps what it is told at run time. What lies there is obeyed, and may name a file with
/// a password.
public enum StateFolder {
  /// Makes the folder for its owner alone, if the folder above it is there.
  ///
  /// - Throws: `SettingsError` where somebody else owns it, or everybody may write to it: it may hold anything then.
  public static func make(_ path: String) throws(SettingsError) {
    mkdir(path, 0o700)
    for look in [lstat, stat] {
      var facts = Glibc.stat()
      // What cannot be looked at is told when something is to be written.
      guard look(path, &facts) == 0 else { continue }
      guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
        throw SettingsError(path, "it belongs to another user; name a folder of your own in [state] path")
      }
      guard facts.st_mode & S_IFMT != S_IFDIR || facts.st_mode & 0o002 == 0 else {
        throw SettingsError(path, "everybody may write to it; run chmod o-w, or name another folder in [state] path")
      }
    }
  }
}

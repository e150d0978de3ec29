import Glibc

/// The folder of the radio's own files. The radio trusts them, and they may name a file with a password.
public enum StateFolder {
  /// Creates the folder for its owner only, if the parent folder exists. Throws if the folder has another owner or is
  /// writable for everybody: its content could be forged.
  public static func make(_ path: String) throws(SettingsError) {
    mkdir(path, 0o700)
    for look in [lstat, stat] {
      var facts = Glibc.stat()
      // An unreadable folder is reported by the first write.
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

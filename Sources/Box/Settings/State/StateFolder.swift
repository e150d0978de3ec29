import Glibc

/// The folder of the radio's own files. The radio trusts these files, and they may contain the path of a password file.
public enum StateFolder {
  /// Creates the folder with access only for its owner, if the parent folder exists. Throws if its owner is neither
  /// root nor this user, or if all users may write to it. Other users could then forge the content.
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

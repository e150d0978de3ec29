import Glibc
import Settings
import System

/// The radio's systemd unit on this machine.
enum DoctorUnit {
  /// The folders of unit files (systemd.unit(5)).
  static let folders = ["/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
  private static let name = "bakelite.service"

  /// True if advice about a settings file may name units: the file is the installed one, or the radio's unit starts a
  /// program with the file.
  static func starts(with settings: String, in folders: [String] = folders) -> Bool {
    let path = absolutePath(settings)
    guard path != absolutePath(InstalledPaths.settings) else { return true }
    let files = folders.flatMap { folder in
      ["\(folder)/\(name)"] + additions(in: "\(folder)/\(name).d")
    }
    return files.contains { words(ofStartsIn: ProcFile.text($0)).contains { absolutePath($0) == path } }
  }

  /// Returns the files `*.conf` in a folder.
  private static func additions(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasSuffix(".conf") { found.append("\(path)/\(name)") }
    }
    return found
  }

  /// Returns the absolute paths in the lines `ExecStart=`, also after "--config=".
  private static func words(ofStartsIn text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("ExecStart=") }.flatMap { line in
      line.split { " \t=\"'".contains($0) }.filter { $0.hasPrefix("/") }.map { String($0) }
    }
  }
}

import Glibc

/// Reads files of proc(5), which do not state their length.
enum ProcFile {
  /// Returns a file's text, at most 64 KiB; empty if it is unreadable.
  static func text(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }

  /// Returns the words of a `cmdline` file, which end with zero bytes.
  static func words(_ path: String) -> [String] { text(path).split(separator: "\0").map { String($0) } }

  /// Returns the integer of a line "key : number"; nil if it is missing.
  static func number(_ key: String, in text: String) -> Int? { value(key, in: text).flatMap { Int($0) } }

  /// Returns the first word after the colon of such a line.
  static func value(_ key: String, in text: String) -> Substring? {
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].split(whereSeparator: \.isWhitespace).joined(separator: " ") == key else {
        continue
      }
      return parts[1].split(whereSeparator: \.isWhitespace).first
    }
    return nil
  }

  /// Returns the ids of the processes with a name (`/proc/PID/comm`), unordered.
  static func processes(called name: String) -> [Int] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int] = []
    while let entry = readdir(folder) {
      let word = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let process = Int(word), text("/proc/\(process)/comm") == name + "\n" { found.append(process) }
    }
    return found
  }
}

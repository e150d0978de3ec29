import Glibc

/// Files of proc(5), whose length nobody knows before they are read.
enum ProcFile {
  /// All of a file, 64 KiB at most; empty where it cannot be read.
  static func text(_ path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }

  /// The words of a command line as proc(5) has it: each ends with a zero.
  static func words(_ path: String) -> [String] { text(path).split(separator: "\0").map { String($0) } }

  /// The whole number of a line "key : number"; nil where there is none.
  static func number(_ key: String, in text: String) -> Int? { value(key, in: text).flatMap { Int($0) } }

  /// The first word behind the colon of such a line.
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

  /// The processes of a name (`/proc/PID/comm`), in no order.
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

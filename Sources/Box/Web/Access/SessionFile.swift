import Glibc
import System
import Units

/// The file of the sessions, so that browsers stay signed in after a restart. Only its owner can read it.
struct SessionFile {
  private let path: String
  private static let format = "bakelite-web-sessions 1"
  private static let maxByteCount = 64 << 10

  /// Uses the file `sessions` in a folder that exists.
  init(folder: String) { path = "\(folder)/sessions" }

  /// Reads the sessions; empty if the file is missing or damaged, or if the password is another one. `password`: the
  /// code or the hash that opens the panel. `wall`: seconds since 1970.
  func load(_ password: String, wall: Int64, at now: MonotonicTime) -> SessionTable {
    let bytes: [UInt8]
    do throws(WholeFile.Problem) { bytes = try WholeFile.read(path, limit: Self.maxByteCount) } catch {
      return SessionTable()
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first == Self.format[...] else { return SessionTable() }
    var table = SessionTable()
    var isSamePassword = false
    for line in lines.dropFirst() {
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("password", 2): isSamePassword = PasswordHash(text: words[1]).fits(password)
      case ("session", 4):
        guard let began = Int64(words[3]), Self.isSecret(words[1]), Self.isSecret(words[2]) else { continue }
        // A clock that is not set yet must not end a session.
        let age = max(0, wall.subtractingReportingOverflow(began).partialValue)
        guard age < Int64(SessionTable.lifetimeSeconds) else {
          table.remember(words[1])
          continue
        }
        table.restore(cookie: words[1], token: words[2], age: Duration(milliseconds: age * 1_000), at: now)
      case ("ended", 2): if Self.isSecret(words[1]) { table.remember(words[1]) }
      default: continue
      }
    }
    if !isSamePassword { table.closeAll() }
    return table
  }

  private static func isSecret(_ word: String) -> Bool {
    word.utf8.count == 64 && word.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  /// Replaces the file (`rename(2)`). Returns false if that fails. `password`: the hash of the code or hash that opens
  /// the panel.
  func save(_ table: SessionTable, _ password: PasswordHash, wall: Int64, at now: MonotonicTime) -> Bool {
    var lines = [Self.format, "password \(password.text)"]
    for session in table.list {
      let age = Int64((now - session.began).seconds)
      lines.append("session \(session.cookie) \(session.token) \(wall - age)")
    }
    lines += table.ended.map { "ended \($0)" }
    return PrivateFile.replace(path, Array((lines.joined(separator: "\n") + "\n").utf8)) == 0
  }
}

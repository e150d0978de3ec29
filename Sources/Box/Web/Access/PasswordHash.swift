import CCrypt
import Glibc
import System
import Units

/// A password's hash (crypt(5)): yescrypt at cost 3, which needs 4 MiB of memory for some milliseconds.
struct PasswordHash: Equatable, Sendable {
  let text: String

  private static let cost: UInt = 3
  private static let maxFileLength = 512

  /// Hashes a password; nil if memory is short.
  init?(of password: String) {
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    guard bk_crypt_setting("$y$", Self.cost, &setting), let text = Self.crypt(password, setting) else { return nil }
    self.text = text
  }

  /// Uses a hash in the form of crypt(5), unchecked.
  init(text: String) { self.text = text }

  init(path: String) throws(PasswordFileError) {
    let bytes: [UInt8]
    do throws(WholeFile.Problem) { bytes = try WholeFile.read(path, limit: Self.maxFileLength) } catch {
      if case .unreadable(let code) = error { throw .unreadable(path, errno: code) }
      throw .noHash(path)
    }
    let lines = bytes.split { $0 == UInt8(ascii: "\n") }
    guard lines.count == 1, let line = lines.first, line.first == UInt8(ascii: "$"),
      line.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw .noHash(path) }
    text = String(decoding: line, as: UTF8.self)
  }

  /// Returns true if a password matches; takes some milliseconds.
  func fits(_ password: String) -> Bool {
    // The C function would ignore any text after a zero byte.
    guard !password.utf8.contains(0) else { return false }
    let setting = text.utf8.map { CChar(bitPattern: $0) } + [0]
    return Self.crypt(password, setting).map { Secrets.areEqual($0, text) } ?? false
  }

  private static func crypt(_ password: String, _ setting: [CChar]) -> String? {
    var hash = [CChar](repeating: 0, count: Int(CRYPT_OUTPUT_SIZE))
    guard bk_crypt(password, setting, &hash) else { return nil }
    return String(decoding: hash.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Writes the hash to a file atomically; only the owner can read the file. Creates the default folder, which may be
  /// missing.
  func write(to path: String) throws(PasswordFileError) {
    if path == Defaults.webPasswordFile, let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o700) }
    let code = PrivateFile.replace(path, Array((text + "\n").utf8))
    if code != 0 { throw .unwritable(path, errno: code) }
  }
}

import System

/// Checks passwords one at a time on a separate thread, so that other requests need not wait.
final class PasswordChecker {
  enum Expected: Sendable {
    case code(String)
    case file(String)
  }

  private var expected: Expected
  /// True if the code is the one on the radio's display.
  private(set) var hasRadioCode = false
  /// True until `isReplaced` has reported another code.
  private var isCodeReplaced = false
  /// The file's hash at the last change seen by `isReplaced`; nil without a file.
  private(set) var known: PasswordHash?
  private let result = Handover<Bool>()
  private var awaited: ((Bool) -> Void)?

  /// Creates a checker. `watch` receives a descriptor that is readable after each check.
  init(_ expected: Expected, watch: (Int32) -> Void) {
    self.expected = expected
    known = Self.hash(expected)
    watch(result.descriptor)
  }

  /// The code, or the file's hash, which opens the panel.
  var secret: String {
    switch expected {
    case .code(let code): code
    case .file: known?.text ?? ""
    }
  }

  var isOwners: Bool { if case .file = expected { true } else { false } }

  /// Uses the code on the radio's display from now on. Returns true if the code is another one; no effect on a password
  /// file, and for a malformed code.
  func use(radioCode: String) -> Bool {
    guard case .code(let old) = expected, AccessCode.isOne(radioCode) else { return false }
    (expected, hasRadioCode) = (.code(radioCode), true)
    if old != radioCode { isCodeReplaced = true }
    return old != radioCode
  }

  /// Returns true once after the code or the file's hash has changed. An unreadable file counts as unchanged.
  func isReplaced() -> Bool {
    if isCodeReplaced {
      isCodeReplaced = false
      return true
    }
    guard let hash = Self.hash(expected), hash != known else { return false }
    defer { known = hash }
    return known != nil
  }

  private static func hash(_ expected: Expected) -> PasswordHash? {
    if case .file(let path) = expected { try? PasswordHash(path: path) } else { nil }
  }

  /// Starts to check a password. `tell` receives the result and the file's hash. Returns false if another check is
  /// running.
  func begin(_ password: String, _ tell: @escaping (_ isRight: Bool, _ hash: PasswordHash?) -> Void) -> Bool {
    guard awaited == nil else { return false }
    let expected = expected
    let hash = Self.hash(expected)
    let result = result
    awaited = { tell($0, hash) }
    let isBegun = OwnedThread.detach("password") {
      result.put(Self.isRight(password, expected, hash))
    }
    if !isBegun { awaited = nil }
    return isBegun
  }

  func attend() {
    guard let isRight = result.remove() else { return }
    awaited.take()?(isRight)
  }

  private static func isRight(_ password: String, _ expected: Expected, _ hash: PasswordHash?) -> Bool {
    let code = AccessCode.read(password)
    switch expected {
    case .code(let drawn): return code.map { Secrets.areEqual($0, drawn) } ?? false
    case .file:
      guard let hash else { return false }
      // If the file has the hash of a code, the password may be another spelling of this code.
      return hash.fits(password) || code.map { $0 != password && hash.fits($0) } ?? false
    }
  }
}

import System

/// Checks passwords one at a time, on a thread of its own, so that others are served meanwhile.
final class PasswordChecker {
  /// What a password has to be.
  enum Expected: Sendable {
    /// A code that was drawn.
    case code(String)
    /// The hash in a file, which is read at each check.
    case file(String)
  }

  private let expected: Expected
  /// The hash that the file had when `isReplaced` looked at it last; nil where no file has the password.
  private(set) var known: PasswordHash?
  private let done = SharedWakeFlag()
  private let result = Locked<Bool?>(nil)
  private var awaited: ((Bool) -> Void)?

  /// `watch` is called with what can be read when a check is done.
  init(_ expected: Expected, watch: (Int32) -> Void) {
    self.expected = expected
    known = Self.hash(expected)
    watch(done.flag.descriptor)
  }

  /// Whether the owner has set the password.
  var isOwners: Bool { if case .file = expected { true } else { false } }

  /// Whether the file has another hash than when this was asked last. A file that cannot be read changes nothing.
  func isReplaced() -> Bool {
    guard let hash = Self.hash(expected), hash != known else { return false }
    defer { known = hash }
    return known != nil
  }

  private static func hash(_ expected: Expected) -> PasswordHash? {
    if case .file(let path) = expected { try? PasswordHash(path: path) } else { nil }
  }

  /// Begins to check a password; `tell` is told whether it is right, and by which hash. False where no check can begin
  /// now.
  func begin(_ password: String, _ tell: @escaping (_ isRight: Bool, _ hash: PasswordHash?) -> Void) -> Bool {
    guard awaited == nil else { return false }
    let (expected, hash, done, result) = (expected, Self.hash(expected), done, result)
    awaited = { tell($0, hash) }
    let isBegun = OwnedThread.detach("password") {
      let isRight = Self.isRight(password, expected, hash)
      result.withLock { $0 = isRight }
      done.flag.raise()
    }
    if !isBegun { awaited = nil }
    return isBegun
  }

  /// Tells who waits what came of a check that is done.
  func attend() {
    // It may be raised after its result was seen.
    done.flag.clear()
    guard awaited != nil else { return }
    guard let isRight = result.withLock({ $0 }) else { return }
    result.withLock { $0 = nil }
    let tell = awaited
    awaited = nil
    tell?(isRight)
  }

  private static func isRight(_ password: String, _ expected: Expected, _ hash: PasswordHash?) -> Bool {
    let code = AccessCode.read(password)
    switch expected {
    case .code(let drawn): return code.map { Secrets.areEqual($0, drawn) } ?? false
    case .file:
      guard let hash else { return false }
      // The file may hold the hash of a code, which is typed as people like.
      return hash.fits(password) || code.map { $0 != password && hash.fits($0) } ?? false
    }
  }
}

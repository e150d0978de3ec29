import Foundation

#if canImport(Testing)
  import Testing
#endif

/// Counts assertions that a late machine excuses. `BAKELITE_EXCUSES` names a file. Each assertion adds a line to it:
/// `held`, `excused` or `failed`, a space, and the test. `Tests/run` counts the lines and fails if more than 2 % are
/// excused.
public enum ExcuseCounter {
  private static let file = ProcessInfo.processInfo.environment["BAKELITE_EXCUSES"].map {
    open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
  }

  /// The current test. A static build has no testing library, and no tests.
  private static var test: String? {
    #if canImport(Testing)
      Test.current.map { "\($0.id)" }
    #else
      nil
    #endif
  }

  enum Verdict: String {
    case held, excused, failed

    /// Calls `isExcused` only if the assertion does not hold.
    init(_ holds: Bool, isExcused: () -> Bool) { self = holds ? .held : isExcused() ? .excused : .failed }
  }

  /// Counts an assertion. Returns true if it holds or is excused.
  public static func count(_ holds: Bool, isExcused: () -> Bool) -> Bool {
    let verdict = Verdict(holds, isExcused: isExcused)
    if let file {
      let line = "\(verdict.rawValue) \(test ?? "outside a test")\n"
      // A single write, so that lines of several processes do not mix.
      _ = line.withCString { write(file, $0, strlen($0)) }
    }
    return verdict != .failed
  }
}

extension Punctuality {
  /// Returns true if an assertion holds, or if this machine was late. `ExcuseCounter` counts each call. Use the call as
  /// the whole condition of an `#expect`.
  public func holdsUnlessLate(_ holds: Bool) -> Bool { ExcuseCounter.count(holds) { wasLate } }
}

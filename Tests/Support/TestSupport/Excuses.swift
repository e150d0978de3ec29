import Foundation

#if canImport(Testing)
  import Testing
#endif

/// The assertions that a late machine excuses: each of them counts itself.
///
/// `BAKELITE_EXCUSES` names a file; each assertion adds a line to it: `held`, `excused` or `failed`, a space, and its
/// test. `Tests/run` counts them, and fails where more than 2 % are excused.
enum Excuses {
  private static let file = ProcessInfo.processInfo.environment["BAKELITE_EXCUSES"].map {
    open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
  }

  /// The test that runs. A build with Swift's libraries in the programs has no testing library, and no tests.
  private static var test: String? {
    #if canImport(Testing)
      Test.current.map { "\($0.id)" }
    #else
      nil
    #endif
  }

  /// What becomes of an assertion.
  enum Verdict: String {
    case held, excused, failed

    /// The excuse is looked for only where it does not hold.
    init(_ holds: Bool, isExcused: () -> Bool) { self = holds ? .held : isExcused() ? .excused : .failed }
  }

  /// Whether an assertion holds or is excused; counts it.
  static func count(_ holds: Bool, isExcused: () -> Bool) -> Bool {
    let verdict = Verdict(holds, isExcused: isExcused)
    if let file {
      let line = "\(verdict.rawValue) \(test ?? "outside a test")\n"
      // One write is one line, whoever else writes.
      _ = line.withCString { write(file, $0, strlen($0)) }
    }
    return verdict != .failed
  }
}

extension Punctuality {
  /// Whether something is so that a late machine would spoil; where it is not, whether this machine was late.
  ///
  /// Each call is counted (`Excuses`), so let it be the whole of an `#expect`.
  public func holdsUnlessLate(_ holds: Bool) -> Bool { Excuses.count(holds) { isPoor } }
}

extension RadioRig {
  /// Whether something about the sound is so; where it is not, whether this machine was too busy to play in real time
  /// and there was a gap, or `excuse` is so.
  ///
  /// Each call is counted (`Excuses`), so let it be the whole of an `#expect`.
  public func holdsUnlessLate(_ holds: Bool, or excuse: @autoclosure () -> Bool = false) -> Bool {
    Excuses.count(holds) { wasLate || excuse() }
  }
}

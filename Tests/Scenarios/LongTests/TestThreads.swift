import Foundation
import System
import TestSupport

/// Threads for cases that mostly wait.
enum TestThreads {
  /// Returns the results of `run` in the order of the cases. `speed`: of the clock; `atOnce`: number of threads.
  static func map<Case: Sendable, Result: Sendable>(
    _ cases: [Case], speed: Int, atOnce: Int, _ run: @escaping @Sendable (Case) -> Result
  ) -> [Result] {
    let next = Locked(0)
    let results = Locked<[(Int, Result)]>([])
    let group = DispatchGroup()
    for _ in 0..<min(atOnce, cases.count) {
      group.enter()
      Thread.detachNewThread {
        TestClock.run(speed: speed) {
          while true {
            let index = next.withLock { next in
              next += 1
              return next - 1
            }
            guard index < cases.count else { break }
            let result = run(cases[index])
            results.withLock { $0.append((index, result)) }
          }
        }
        group.leave()
      }
    }
    group.wait()
    return results.withLock { $0.sorted { $0.0 < $1.0 }.map(\.1) }
  }
}

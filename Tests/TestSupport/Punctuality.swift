import CLinux
import Foundation

/// How late this machine wakes threads that only sleep: no sound in real time is more punctual than that.
public struct Punctuality: Sendable {
  private static let watch = Watch()
  private let began: Double
  private let speed = Double(bk_clock_speed())

  /// Begins now, by the clock as it goes for the calling thread.
  public init() {
    _ = Self.watch
    began = Watch.now
  }

  /// Whether a thread was so late that a gap in the sound is the machine's: a quarter of what a sink holds.
  public var isPoor: Bool { worst > 0.05 }

  /// By how many seconds a thread woke late at most, by the clock as it goes for the thread that began.
  public var worst: Double { Self.watch.worst(since: began) * speed }
}

/// A thread that only sleeps, and notes each time that it woke late.
private final class Watch: Sendable {
  private let lapses = Locked<[(end: Double, seconds: Double)]>([])

  init() {
    Thread.detachNewThread { [lapses] in
      while true {
        let due = Self.now + 0.005
        usleep(5_000)
        let now = Self.now
        if now - due > 0.003 { lapses.withLock { $0.append((now, now - due)) } }
      }
    }
  }

  static var now: Double { ProcessInfo.processInfo.systemUptime }

  func worst(since moment: Double) -> Double {
    lapses.withLock { $0.reversed().prefix { $0.end >= moment }.map(\.seconds).max() ?? 0 }
  }
}

import Foundation
import System

/// How late this machine wakes threads that only sleep: no sound in real time is more punctual than that.
public struct Punctuality: Sendable {
  private static let watch = Watch()
  private let began: Double
  private let speed = Double(TestClock.current.speed)

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

/// How long one thread waited for a processor though it was ready (`/proc/thread-self/schedstat`).
public final class ThreadDelay {
  private let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
  private let speed = Double(TestClock.current.speed)
  private var last = 0.0
  /// The longest such time between two calls of `note`, in seconds by the calling thread's clock.
  public private(set) var worst = 0.0

  /// The calling thread's, which alone may use it.
  public init() { last = total }

  deinit { close(file) }

  /// Looks again.
  public func note() {
    let now = total
    worst = max(worst, (now - last) * speed)
    last = now
  }

  private var total: Double {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(file, &bytes, bytes.count, 0)
    let fields = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Double(fields[1]) ?? 0) / 1e9 : 0
  }
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

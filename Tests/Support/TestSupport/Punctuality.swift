import Foundation
import System

/// Measures the wake-up delay of sleeping threads: real-time audio cannot be more punctual.
public struct Punctuality: Sendable {
  private static let watch = DelayWatch()
  private let began: Double
  private let speed = Double(TestClock.current.speed)

  /// Starts the measurement on the calling thread's clock.
  public init() {
    _ = Self.watch
    began = DelayWatch.now
  }

  /// True if a delay was over 50 ms, a quarter of the sink's buffer: a gap is then the machine's fault.
  public var wasLate: Bool { maxDelay > 0.05 }

  /// Maximum wake-up delay in seconds, on the clock of the thread that created this value.
  public var maxDelay: Double { Self.watch.maxDelay(since: began) * speed }
}

/// Measures the time that a ready thread waited for a processor (`/proc/thread-self/schedstat`).
public final class ThreadDelay {
  private let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
  private let speed = Double(TestClock.current.speed)
  private var last = 0.0
  /// Maximum delay between two calls of `update`, in seconds on the calling thread's clock.
  public private(set) var maxDelay = 0.0

  /// Starts a measurement for the calling thread. Only this thread may use the object.
  public init() { last = total }

  deinit { close(file) }

  /// Updates `maxDelay`.
  public func update() {
    let now = total
    maxDelay = max(maxDelay, (now - last) * speed)
    last = now
  }

  private var total: Double {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(file, &bytes, bytes.count, 0)
    let fields = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Double(fields[1]) ?? 0) / 1e9 : 0
  }
}

/// Measures the time that all ready threads of this process waited for a processor: sleeping threads wake in time on a
/// machine that is too busy for a decoder (`/proc/self/task/TID/schedstat`).
public struct ProcessorDelay {
  private let began = Self.delays

  /// Starts the measurement.
  public init() {}

  /// Seconds that the present threads waited since the start.
  public var seconds: Double {
    Self.delays.reduce(0) { sum, thread in sum + thread.value - (began[thread.key] ?? 0) }
  }

  private static var delays: [String: Double] {
    let folder = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.reduce(into: [:]) { delays, thread in
      let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)
      let fields = (text ?? "").split(separator: " ")
      delays[thread] = fields.count > 1 ? (Double(fields[1]) ?? 0) / 1e9 : 0
    }
  }
}

/// A thread that only sleeps and records its late wake-ups.
private final class DelayWatch: Sendable {
  private let delays = Locked<[(end: Double, seconds: Double)]>([])

  init() {
    Thread.detachNewThread { [delays] in
      while true {
        let due = Self.now + 0.005
        usleep(5_000)
        let now = Self.now
        if now - due > 0.003 { delays.withLock { $0.append((now, now - due)) } }
      }
    }
  }

  static var now: Double { ProcessInfo.processInfo.systemUptime }

  func maxDelay(since moment: Double) -> Double {
    delays.withLock { $0.reversed().prefix { $0.end >= moment }.map(\.seconds).max() ?? 0 }
  }
}

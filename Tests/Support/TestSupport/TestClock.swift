import Synchronization
import System

/// The clock for a test and its stations, radios and cards. It can run faster than the machine's clock, start at
/// another wall time, and simulate sleep of the machine.
public final class TestClock: Sendable {
  /// The clock for the current task or thread.
  @TaskLocal public static var current = TestClock()

  /// Factor by which the clock is faster than the machine's clock.
  public let speed: Int
  private let wallStart = Locked<Double?>(nil)
  private nonisolated(unsafe) let addedSleep = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: 1)

  /// All clocks. Clocks are never freed, because radios have pointers to `addedSleep`.
  private static let all = Locked<[TestClock]>([])

  /// Creates a clock `speed` times faster than the machine's clock.
  public init(speed: Int = 1) {
    self.speed = speed
    addedSleep.initialize(to: Atomic(0))
    Self.all.withLock { $0.append(self) }
  }

  /// The clock for a new radio.
  public var clock: Clock {
    Clock(speed: speed, wallStart: wallStart.withLock { $0 }, addedSleep: UnsafePointer(addedSleep))
  }

  /// Sets the wall time for radios that are created later. `seconds`: since 1970.
  public func setWall(_ seconds: Double) { wallStart.withLock { $0 = seconds - Clock(speed: speed).now().seconds } }

  /// Simulates that the machine has just slept for `seconds`.
  public func pretendSleep(_ seconds: Double) {
    addedSleep.pointee.add(Int64(seconds * 1e9), ordering: .relaxed)
  }

  /// Runs `body` with a clock `speed` times faster than the machine's clock.
  public static func run<Result>(speed: Int, _ body: () throws -> Result) rethrows -> Result {
    try TestClock(speed: speed).run(body)
  }

  /// Runs `body` with this clock.
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }
}

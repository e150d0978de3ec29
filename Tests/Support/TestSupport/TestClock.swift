import Synchronization
import System

/// The clock of a test, and of all that it makes: stations, radios, cards.
///
/// It goes as fast as its stage says, tells another time on the wall if that was set before the radio was made, and
/// counts sleeps of the machine that never were.
public final class TestClock: Sendable {
  /// That of the calling task or thread.
  @TaskLocal public static var current = TestClock()

  /// How many times faster than the machine's it goes.
  public let speed: Int
  private let wallStart = Locked<Double?>(nil)
  private nonisolated(unsafe) let addedSleep = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: 1)

  /// Radios keep where a clock's sleep is counted: no clock is freed.
  private static let all = Locked<[TestClock]>([])

  /// A clock that goes `speed` times faster than the machine's.
  public init(speed: Int = 1) {
    self.speed = speed
    addedSleep.initialize(to: Atomic(0))
    Self.all.withLock { $0.append(self) }
  }

  /// What is given to a radio.
  public var clock: Clock {
    Clock(speed: speed, wallStart: wallStart.withLock { $0 }, addedSleep: UnsafePointer(addedSleep))
  }

  /// Says what time it is on the wall, in seconds since 1970, for the radios that are made from now on.
  public func setWall(_ seconds: Double) { wallStart.withLock { $0 = seconds - Clock(speed: speed).now().seconds } }

  /// Lets the radios of this clock believe that the machine has just slept for so many seconds.
  public func pretendSleep(_ seconds: Double) {
    addedSleep.pointee.add(Int64(seconds * 1e9), ordering: .relaxed)
  }

  /// Does something by a clock that goes `speed` times faster than the machine's.
  public static func run<Result>(speed: Int, _ body: () throws -> Result) rethrows -> Result {
    try TestClock(speed: speed).run(body)
  }

  /// Does something by this clock.
  public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }
}

import AudioOutput
import Blocks
import CAllocGuard
import CLinux
import Foundation
import Glibc
import SinkBench
import Synchronization
import System
import Testing
import Units

/// Serialized, because the guard's state is global.
@Suite(.serialized, .enabled(if: guard_works(), "a sanitizer brings a malloc of its own"))
struct AllocationTests {
  // MARK: The guard itself

  @Test("The guard fires", arguments: ForbiddenAction.all)
  func guardFires(_ deed: ForbiddenAction) {
    deed.act()  // the first call may do more
    guard_start()
    deed.act()
    let counts = guard_stop()
    #expect(deed.count(counts) > 0)
  }

  @Test func guardIsQuietWhereNothingHappens() {
    let atomic = Atomic<Int>(0)
    guard_start()
    atomic.add(1, ordering: .relaxed)
    let counts = guard_stop()
    #expect(counts.offences == 0)
  }

  @Test func guardCountsAnotherThreadByItsName() throws {
    for (name, frees) in [("guarded", 3), ("other", 0)] {
      guard_arm("bk-guarded")
      let body: @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in for _ in 0..<3 { free(malloc(16)) } }
      try OwnedThread(name, entry: body, nil).join()
      #expect(guard_disarm().frees == frees, "\(name)")
    }
  }

  // MARK: The render thread

  /// Without a warm-up: the thread is counted from its first instruction to its last.
  @Test(
    "The render thread allocates nothing, takes no lock and leaves Swift's runtime alone (D1)", arguments: Sinks.all)
  func renderThreadIsClean(_ sink: Sinks) throws {
    guard_arm("bk-render")
    do {
      let bench = try SinkBench(sink.request())
      #expect(try playThrough(bench, second: sink.secondRate))
      bench.thread.stop()
    }
    let counts = guard_disarm()
    if counts.offences > 0 { guard_blame() }
    #expect(counts.offences == 0)
    #expect(counts.accesses == 0)
  }

  /// Plays two programmes: a change from the first to the second, an underrun, an end, and silence.
  private func playThrough(_ bench: SinkBench, second rate: SampleRate) throws -> Bool {
    let board = bench.board
    let tone = (0..<(40 * Period.frameCapacity * 2)).map { Int32($0 % 4_001 - 2_000) << 8 }
    bench.tune(to: 1)
    guard try bench.feed(tone), try bench.wait(until: { bench.playedFrames > 0 }) else { return false }
    bench.tune(to: 2)
    guard try bench.feed(tone, rate: rate) else { return false }
    guard try bench.wait(until: { board.pointee.heardEpoch.load(ordering: .acquiring) == 2 }) else { return false }
    guard try bench.wait(until: { bench.thread.state == .silent || bench.thread.state == .idle || sinkIsFree(bench) })
    else { return false }
    board.pointee.gain.store(1 << 23, ordering: .relaxed)
    guard try bench.feed(tone, rate: rate, flags: [.followsGap, .end]), try bench.waitForEnd() else { return false }
    return try bench.wait { bench.thread.state == .idle }
  }

  /// A sink without pacing does not fall silent: it has an underrun when all frames were played.
  private func sinkIsFree(_ bench: SinkBench) -> Bool { bench.playedFrames >= 40 * Period.frameCapacity }
}

/// An action that is forbidden on a real-time thread.
struct ForbiddenAction: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let count: @Sendable (guard_counts) -> Int
  let act: @Sendable () -> Void

  private init(
    _ name: String, _ count: @escaping @Sendable (guard_counts) -> Int, _ act: @escaping @Sendable () -> Void
  ) {
    testDescription = name
    self.count = count
    self.act = act
  }

  static let all = [
    ForbiddenAction("malloc", { $0.allocations }) { free(malloc(16)) },
    ForbiddenAction("calloc", { $0.allocations }) { free(calloc(1, 16)) },
    ForbiddenAction("realloc", { $0.allocations }) { free(realloc(nil, 16)) },
    ForbiddenAction("aligned_alloc", { $0.allocations }) { free(aligned_alloc(64, 64)) },
    ForbiddenAction("posix_memalign", { $0.allocations }) {
      var bytes: UnsafeMutableRawPointer?
      #expect(posix_memalign(&bytes, 64, 64) == 0 && bytes != nil)
      free(bytes)
    },
    ForbiddenAction("free", { $0.frees }) { free(malloc(16)) },
    ForbiddenAction("a pointer's allocate", { $0.allocations }) {
      UnsafeMutablePointer<Int>.allocate(capacity: 64).deallocate()
    },
    ForbiddenAction("an array that grows", { $0.allocations }) {
      var array: [Int] = []
      for index in 0..<100 { array.append(index) }
      consume(array)
    },
    ForbiddenAction("a mutex", { $0.locks }) {
      var mutex = pthread_mutex_t()
      pthread_mutex_lock(&mutex)
      pthread_mutex_unlock(&mutex)
    },
    ForbiddenAction("a read-write lock", { $0.locks }) {
      var lock = pthread_rwlock_t()
      pthread_rwlock_rdlock(&lock)
      pthread_rwlock_unlock(&lock)
    },
    ForbiddenAction("a condition variable", { $0.waits }) {
      var mutex = pthread_mutex_t()
      var condition = pthread_cond_t()
      var past = timespec()
      pthread_mutex_lock(&mutex)
      pthread_cond_timedwait(&condition, &mutex, &past)
      pthread_mutex_unlock(&mutex)
    },
    ForbiddenAction("an object", { $0.objects }) { consume(Object()) },
    ForbiddenAction("a retain", { $0.retains }) { consume([Object.shared, Object.shared]) },
    ForbiddenAction("a release", { $0.releases }) { consume([Object.shared, Object.shared]) },
    ForbiddenAction("a lazy global", { $0.onces }) { consume(Object.shared) },
    ForbiddenAction("an exclusivity check", { $0.accesses }) { Object.shared.grow() },
  ]
}

private final class Object: Sendable {
  static let shared = Object()
  private nonisolated(unsafe) var count = 0
  @inline(never)
  func grow() { add(to: &count) }
  @inline(never)
  private func add(to count: inout Int) { count += 1 }
}

@inline(never)
private func consume<T>(_ value: T) { withExtendedLifetime(value) {} }

enum Sinks: String, CaseIterable, CustomTestStringConvertible {
  case pacedNull = "null, paced"
  case alsaNull = "ALSA's device null"
  case rawFile = "a raw file"

  static let all = allCases
  var testDescription: String { rawValue }

  /// A file keeps its first rate. Other sinks change the rate for the second programme.
  var secondRate: SampleRate { self == .rawFile ? .cd : SampleRate(48_000) }

  func request() -> OutputRequest {
    switch self {
    case .pacedNull: return OutputRequest(.null)
    case .alsaNull: return OutputRequest(.alsa("null"))
    case .rawFile:
      var request = OutputRequest(.raw("/dev/null"))
      request.isPaced = false
      return request
    }
  }
}

extension guard_counts {
  /// All that no real-time thread may do.
  var offences: Int { allocations + frees + objects + locks + waits + retains + releases + onces }
}

import Blocks
import CAllocGuard
import Decoding
import Testing
import Units

struct InterpolatorAllocationTests {
  @Test(.enabled(if: guard_works(), "a sanitizer has a malloc of its own"))
  func steeringTakesNoMemory() {
    var interpolator = Interpolator(.bits16Dithered)
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)
    defer { room.deallocate() }
    room.initialize(repeating: 1000, count: 2 * Period.frameCapacity)
    func play() {
      for parts: Int32 in stride(from: -3_000_000, through: 3_000_000, by: 1_500_000) {
        interpolator.steer(to: ClockRatio(partsPerBillion: parts))
        for _ in 0..<12 where interpolator.take(room, count: Period.frameCapacity) {
          while interpolator.next(room) > 0 {}
        }
      }
      interpolator.takeTail()
      while interpolator.next(room) > 0 {}
    }
    // Once before: not optimised, Swift describes its vector types to itself when it first meets them.
    play()
    guard_start()
    play()
    let counts = guard_stop()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
  }
}

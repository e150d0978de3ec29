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
    guard_start()
    for parts: Int32 in [0, 3_000_000, -500_000, 0] {
      interpolator.steer(to: ClockRatio(partsPerBillion: parts))
      for _ in 0..<40 where interpolator.take(room, count: Period.frameCapacity) {
        while interpolator.next(room) > 0 {}
      }
    }
    interpolator.takeTail()
    while interpolator.next(room) > 0 {}
    interpolator.reset()
    let counts = guard_stop()
    #expect(counts.allocations + counts.frees == 0)
  }
}

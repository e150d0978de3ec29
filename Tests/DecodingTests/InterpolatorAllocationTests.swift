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
        var rounds = 12
        while rounds > 0 {
          if interpolator.take(room, count: Period.frameCapacity) { while interpolator.next(room) > 0 {} }
          rounds -= 1
        }
      }
      interpolator.takeTail()
      while interpolator.next(room) > 0 {}
    }
    // Not optimised, Swift describes its vector types to itself when it first meets them, so it is done once before.
    // Swift 6.2 for arm64 takes memory for a loop over a range, too.
    play()
    guard_start()
    play()
    let counts = guard_stop()
    #expect(counts.allocations == 0)
    #expect(counts.frees == 0)
  }
}

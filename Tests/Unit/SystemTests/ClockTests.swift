import Synchronization
import Testing
import Units

@testable import System

@Suite struct ClockTests {
  @Test(
    "A poll(2) wait is rounded up to a millisecond; zero and forever stay",
    arguments: [
      (1, -1, -1), (1, 0, 0), (1, 1, 1), (1, 5_000, 5_000), (8, -1, -1), (8, 0, 0), (8, 1, 1), (8, 8, 1), (8, 9, 2),
      (300, 60_000, 200), (300, 60_001, 201), (8, Int32.max, 268_435_456), (0, 7, 7),
    ])
  func realMilliseconds(_ speed: Int, _ milliseconds: Int32, _ real: Int32) {
    #expect(Clock(speed: speed).realMilliseconds(milliseconds) == real)
  }

  @Test("A faster clock counts a multiple", arguments: [1, 8, 300])
  func speed(_ speed: Int) {
    let clock = Clock(speed: speed)
    let before = Clock.machine.now().nanoseconds
    let told = clock.now().nanoseconds
    let after = Clock.machine.now().nanoseconds
    #expect(before * Int64(speed) <= told && told <= after * Int64(speed))
  }

  @Test(
    "A sleep lasts by its clock, and one until a past time returns at once", arguments: [1, 100])
  func sleeps(_ speed: Int) {
    let clock = Clock(speed: speed)
    let end = clock.now() + Duration(milliseconds: 20)
    clock.sleep(until: end)
    #expect(clock.now() >= end)
    clock.sleep(until: .zero)
  }

  @Test("A wait for a flag lasts by its clock")
  func waits() {
    let flag = WakeFlag()
    let clock = Clock(speed: 1_000)
    let (end, realEnd) = (clock.now() + Duration(milliseconds: 60_000), Clock.machine.now())
    let isWoken = flag.wait(Duration(milliseconds: 60_000), by: clock)
    #expect(!isWoken && clock.now() >= end)
    #expect(Clock.machine.now() >= realEnd + Duration(milliseconds: 60))
  }

  @Test("The wall-clock time follows the clock, from its set value")
  func wall() {
    let start = 1_700_000_000 - Clock(speed: 60).now().seconds
    let clock = Clock(speed: 60, wallStart: start)
    let (before, wall, after) = (clock.now().seconds, clock.wallSeconds(), clock.now().seconds)
    #expect(wall >= 1_700_000_000)
    #expect(wall >= start + before - 0.001 && wall <= start + after + 0.001)
    #expect(Clock(speed: 60).wallSeconds() > 1_763_683_200, "else it is the machine's")
  }

  @Test("A simulated sleep adds to the machine's own")
  func slept() {
    let added = UnsafeMutablePointer<Atomic<Int64>>.allocate(capacity: 1)
    added.initialize(to: Atomic(0))
    let clock = Clock(speed: 8, addedSleep: added)
    let before = clock.slept()
    added.pointee.add(5_000_000_000, ordering: .relaxed)
    let longer = (clock.slept() - before).seconds
    // The two clocks are read one after the other, so the result may be slightly smaller.
    #expect(longer > 4.9 && longer < 5.1)
    added.deinitialize(count: 1)
    added.deallocate()
  }
}

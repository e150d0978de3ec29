import System
import Testing
import Units

@Suite struct WakeFlagTests {
  @Test("A raised flag wakes once, however often raised", arguments: [0, 1, 2, 1_000])
  func wakesOnce(count: Int) {
    let flag = WakeFlag()
    for _ in 0..<count { flag.raise() }
    let woken = [flag.wait(.zero, by: .machine), flag.wait(.zero, by: .machine)]
    #expect(woken == [count > 0, false])
  }

  @Test("A cleared flag does not wake")
  func clears() {
    let flag = WakeFlag()
    flag.raise()
    flag.clear()
    let isWoken = flag.wait(.zero, by: .machine)
    #expect(!isWoken)
    flag.clear()
    flag.raise()
    let isWokenAgain = flag.wait(.zero, by: .machine)
    #expect(isWokenAgain)
  }

  @Test("Another descriptor ends the wait without the flag", arguments: [false, true], [false, true])
  func waitsForEither(isRaised: Bool, isOtherReady: Bool) {
    let flag = WakeFlag()
    let other = WakeFlag()
    if isRaised { flag.raise() }
    if isOtherReady { other.raise() }
    let isWoken = flag.wait(isOtherReady ? .forever : .zero, orReadable: other.descriptor, by: .machine)
    #expect(isWoken == isRaised)
    let isOtherLeft = other.wait(.zero, by: .machine)
    #expect(isOtherLeft == isOtherReady)
  }

  @Test("The render thread's flag is the same one")
  func unowned() {
    let flag = WakeFlag()
    flag.raise()
    let isRaised = flag.unowned.park(nanoseconds: 60_000_000_000, by: .machine)
    let isWoken = flag.wait(.zero, by: .machine)
    let isLate = flag.unowned.park(nanoseconds: 1_000_000, by: .machine)
    #expect([isRaised, isWoken, isLate] == [true, false, false])
  }

  @Test("A flag's descriptor closes with its last owner")
  func closes() {
    var shared: SharedWakeFlag? = SharedWakeFlag()
    var other = shared
    weak let watched = shared
    shared = nil
    #expect(watched != nil)
    other?.flag.raise()
    other = nil
    #expect(watched == nil)
  }
}

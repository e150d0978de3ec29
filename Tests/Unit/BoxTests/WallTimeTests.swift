import System
import TestSupport
import Testing
import Units

@testable import Box

/// A time that was saved is a hint; a time server replaces it (D14).
@Suite struct WallTimeTests {
  private static let now: Int64 = 1_795_000_000
  private static let year: Int64 = 365 * 86_400

  /// The clock's time of day, and a time server that may keep it.
  private final class Machine {
    let clock = TestClock()
    var isKept = false

    func now(after seconds: Double = 0) -> MonotonicTime { clock.clock.now() + Duration(seconds: seconds) }

    func set(_ seconds: Int64) { clock.setWall(Double(seconds)) }
  }

  private func wall(_ machine: Machine, at seconds: Int64, known: Int64 = now) -> WallTime {
    machine.set(seconds)
    return WallTime(known: known, zone: "UTC", machine.clock.clock) { machine.isKept }
  }

  @Test(
    "A clock near the saved time is saved; one before it, or far ahead, only with a time server",
    arguments: [
      (0, true, true), (-86_000, true, true), (-90_000, false, true), (-70 * year, false, false),
      (300 * 86_400, true, true), (401 * 86_400, false, true), (70 * year, false, true),
    ] as [(Int64, Bool, Bool)])
  func saved(_ offset: Int64, _ alone: Bool, _ kept: Bool) {
    let machine = Machine()
    var wall = wall(machine, at: Self.now + offset)
    let saved = wall.confirm(at: machine.now())
    #expect((saved != nil) == alone)
    if let saved { #expect(abs(saved - Self.now - offset) < 5) }
    machine.isKept = true
    #expect((wall.confirm(at: machine.now()) != nil) == kept && wall.isSet == kept)
  }

  @Test("A saved time 70 years ahead is replaced as soon as a time server keeps the clock")
  func wrongYear() {
    let machine = Machine()
    var wall = wall(machine, at: Self.now, known: Self.now + 70 * Self.year)
    #expect(!wall.isSet && wall.clock == nil && wall.confirm(at: machine.now()) == nil)
    machine.isKept = true
    #expect(wall.confirm(at: machine.now()) != nil && wall.isSet && wall.clock != nil)
    machine.isKept = false
    #expect(wall.confirm(at: machine.now()) != nil && wall.isSet)
  }

  @Test("Without a time server a clock far ahead counts after an hour")
  func patience() {
    let machine = Machine()
    var wall = wall(machine, at: Self.now + 2 * Self.year)
    #expect(wall.confirm(at: machine.now()) == nil && wall.isSet)
    #expect(wall.confirm(at: machine.now(after: 3_590)) == nil)
    #expect(wall.confirm(at: machine.now(after: 3_601)) != nil)
  }
}

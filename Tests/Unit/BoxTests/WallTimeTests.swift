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

  /// A report of a server: its host, its time relative to the clock, and its age, both in seconds.
  struct Report {
    var host: String
    var offset: Int64 = 0
    var age = 0.0
  }

  @Test(
    "Two servers of different domains that agree with the clock replace a saved time in both directions (D14)",
    arguments: [true, false],
    [
      ([Report(host: "a.one.example"), Report(host: "b.two.example")], true),
      ([Report(host: "one.example", offset: 290), Report(host: "two.example", offset: -290)], true),
      ([Report(host: "one.example", age: 590), Report(host: "two.example")], true),
      ([Report(host: "x.example"), Report(host: "one.example"), Report(host: "two.example", offset: -90_000)], true),
      ([Report(host: "one.example")], false),
      ([Report(host: "one.example"), Report(host: "one.example")], false),
      ([Report(host: "a.one.example"), Report(host: "B.One.Example")], false),
      ([Report(host: "one.co.uk"), Report(host: "two.co.uk")], false),
      ([Report(host: "192.0.2.1"), Report(host: "198.51.100.1")], false),
      ([Report(host: "[2001:db8::1]"), Report(host: "localhost")], false),
      ([Report(host: "one.example"), Report(host: "two.example", offset: 310)], false),
      ([Report(host: "one.example", offset: -86_400), Report(host: "two.example", offset: -86_400)], false),
      ([Report(host: "one.example"), Report(host: "two.example"), Report(host: "one.example", offset: 999)], false),
      ([Report(host: "one.example", age: 610), Report(host: "two.example")], false),
    ] as [([Report], Bool)])
  func witnesses(_ isAhead: Bool, _ sample: (reports: [Report], isProof: Bool)) {
    let machine = Machine()
    // The clock is 70 years before or after the saved time.
    let clock = Self.now + (isAhead ? 70 * Self.year : 0)
    var wall = wall(machine, at: clock, known: isAhead ? Self.now : Self.now + 70 * Self.year)
    let start = machine.now()
    for report in sample.reports {
      let seconds = clock - Int64(report.age) + report.offset
      wall.record(ServerTime(host: report.host, seconds: seconds, received: start - Duration(seconds: report.age)))
    }
    let saved = wall.confirm(at: start)
    #expect((saved != nil) == sample.isProof && wall.isKept == sample.isProof)
    if let saved { #expect(abs(saved - clock) < 5 && wall.isSet && wall.clock != nil) }
  }

  @Test("Many servers in a short time need bounded memory, and the last ones count")
  func manyServers() {
    let machine = Machine()
    var wall = wall(machine, at: Self.now, known: Self.now + 70 * Self.year)
    for number in 0..<1_000 {
      wall.record(ServerTime(host: "host\(number).example", seconds: Self.now - 9_000, received: machine.now()))
    }
    #expect(wall.confirm(at: machine.now()) == nil)
    for name in ["one", "two"] {
      wall.record(ServerTime(host: name + ".example", seconds: Self.now, received: machine.now()))
    }
    #expect(wall.confirm(at: machine.now()) != nil)
  }
}

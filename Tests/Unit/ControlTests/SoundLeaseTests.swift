import RadioEngine
import SeededRandom
import Testing
import Units

@testable import Control
@testable import PlayerSupport

/// Leases of the sound output (R10.1, M3): the value, and the commands with a fake radio and the test's clock.
@Suite struct SoundLeaseTests {
  private enum Step {
    case lend(String?, Int, at: Int)
    case end(String)
    case endAll
    case expire(at: Int)
  }

  private static let rows: [(steps: [Step], left: String)] = [
    ([], ""),
    ([.lend("A", 10, at: 0)], "A:10"),
    ([.lend(nil, 10, at: 0)], "-:10"),
    // The last request of a program replaces its earlier ones.
    ([.lend("A", 10, at: 0), .lend("A", 10, at: 4)], "A:14"),
    ([.lend("A", 10, at: 0), .lend("A", 2, at: 4)], "A:6"),
    ([.lend(nil, 10, at: 0), .lend(nil, 10, at: 4)], "-:14"),
    ([.lend("A", 10, at: 0), .lend("a", 10, at: 0)], "A:10 a:10"),
    // The last request is last in the list.
    ([.lend("A", 10, at: 0), .lend("B", 20, at: 1), .lend("A", 10, at: 2)], "B:21 A:12"),
    ([.lend("A", 10, at: 0), .lend("B", 20, at: 0), .end("A")], "B:20"),
    ([.lend("A", 10, at: 0), .lend("A", 10, at: 0), .end("A")], ""),
    ([.lend("A", 10, at: 0), .end("B")], "A:10"),
    ([.lend(nil, 10, at: 0), .end("A")], "-:10"),
    ([.lend("A", 10, at: 0), .lend(nil, 20, at: 0), .endAll], ""),
    ([.endAll, .end("A"), .expire(at: 9)], ""),
    ([.lend("A", 10, at: 0), .lend("B", 20, at: 0), .expire(at: 9)], "A:10 B:20"),
    ([.lend("A", 10, at: 0), .lend("B", 20, at: 0), .expire(at: 10)], "B:20"),
    ([.lend("A", 10, at: 0), .lend("B", 20, at: 0), .expire(at: 20)], ""),
    // Expired leases do not count.
    ([.lend("A", 10, at: 0), .lend("B", 20, at: 10)], "B:30"),
  ]

  @Test(
    "A program has one lease, which ends by name, by time, or with all others (M3)", arguments: rows)
  private func table(_ steps: [Step], _ left: String) {
    var leases = SoundLeases()
    for step in steps {
      switch step {
      case .lend(let name, let seconds, let moment):
        let length = Duration(seconds: Double(seconds))
        let isLent = leases.lend(to: name, for: length, at: MonotonicTime(seconds: Double(moment)))
        #expect(isLent)
      case .end(let name): leases.end(of: name)
      case .endAll: leases.endAll()
      case .expire(let moment): leases.expire(at: MonotonicTime(seconds: Double(moment)))
      }
    }
    #expect(leases.leases.map { "\($0.name ?? "-"):\(Int($0.end.seconds))" }.joined(separator: " ") == left)
    #expect(leases.isEmpty == left.isEmpty && leases.end == leases.leases.map(\.end).max())
  }

  @Test("At most eight programs have leases, and each may renew")
  func most() {
    var leases = SoundLeases()
    let (long, later) = (Duration(seconds: 10), MonotonicTime(seconds: 10))
    let names = (0..<8).map { "A\($0)" } + ["B", nil, "A3"]
    let isLent = names.map { leases.lend(to: $0, for: long, at: .zero) }
    #expect(isLent == Array(repeating: true, count: 8) + [false, false, true])
    #expect(leases.leases.map(\.name) == ["A0", "A1", "A2", "A4", "A5", "A6", "A7", "A3"])
    let isLentLater = leases.lend(to: "B", for: long, at: later)
    #expect(isLentLater && leases.leases.count == 1)
  }

  @Test(
    "A name has 1 to 32 printable characters, and is not a number",
    arguments: [
      ("AirPlay", true), ("Küche 2", true), (String(repeating: "x", count: 32), true), ("2nd", true), ("-1", true),
      ("", false), (String(repeating: "x", count: 33), false), ("7200", false), (" a", false), ("a  b", false),
      ("a\u{202E}b", false), ("\u{200B}", false), ("a" + String(repeating: "\u{301}", count: 32), false),
    ])
  func names(_ name: String, isOne: Bool) { #expect(SoundLeases.isName(name) == isOne) }

  // MARK: The commands

  /// A player on a fake radio, and a client with the test's clock.
  private final class Guests {
    let radio = FakeRadio()
    let context: ControlContext
    let commands: CommandTable
    let session: ControlSession
    var now = MonotonicTime(seconds: 100)

    init() {
      context = ControlContext(PlayerController(radio))
      commands = CommandTable(RadioCommands.rows(.init(version: "1")), context)
      session = ControlSession(commands, isLocal: true)
      session.client.removeSent(session.client.outgoing.count)
      context.clients.now = { [unowned self] in now }
    }

    func ask(_ line: String) -> String {
      session.receive(Array((line + "\n").utf8))
      session.work()
      defer { session.client.removeSent(session.client.outgoing.count) }
      return String(decoding: session.client.outgoing, as: UTF8.self)
    }

    /// The guests in `radio_status`.
    var told: String {
      let lines = ask("radio_status").split(separator: "\n").filter { $0.hasPrefix("suspended") }
      return lines.map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: " ")
    }

    func wait(_ seconds: Double) {
      now = now + Duration(seconds: seconds)
      context.player.device.expire(at: now)
    }
  }

  @Test("Commands lend and return the card, and the status shows user and remaining time")
  func commands() {
    let guests = Guests()
    let player = guests.context.player
    var heard: [Set<Subsystem>] = []
    player.onChange = { heard.append($0) }
    #expect(guests.told == "0" && guests.ask("radio_resume") == "OK\n" && guests.ask("radio_resume AirPlay") == "OK\n")
    player.settle()
    #expect(guests.radio.newCommands == [] && heard == [])
    #expect(guests.ask("radio_suspend") == "OK\n" && guests.told == "1 43200.000" && player.device.guest == "")
    guests.wait(10)
    #expect(guests.ask("radio_suspend AirPlay 7200") == "OK\n" && guests.told == "1 AirPlay 43190.000")
    #expect(guests.radio.newCommands == ["suspend", "suspend"])
    player.settle()
    #expect(heard == [[.player]])
    #expect(guests.ask("radio_resume \"Air Play\"") == "OK\n" && guests.told == "1 AirPlay 43190.000")
    #expect(guests.ask("radio_resume AirPlay") == "OK\n" && guests.told == "1 43190.000")
    #expect(guests.radio.newCommands == [] && guests.radio.isSuspended)
    #expect(guests.ask("radio_resume") == "OK\n" && guests.told == "0" && guests.radio.newCommands == ["endSuspension"])
    player.settle()
    #expect(heard == [[.player], [.player]])
  }

  @Test("A program that never returns the card loses it in time")
  func expiry() {
    let guests = Guests()
    #expect(guests.ask("radio_suspend A 60") == "OK\n" && guests.ask("radio_suspend B 30") == "OK\n")
    guests.wait(30)
    #expect(guests.told == "1 A 30.000" && guests.radio.newCommands == ["suspend", "suspend"])
    guests.wait(29.9)
    #expect(guests.radio.isSuspended)
    guests.wait(0.1)
    #expect(guests.told == "0" && guests.radio.newCommands == ["endSuspension"])
  }

  @Test("The reply follows when the device is free")
  func waits() {
    let guests = Guests()
    guests.radio.isLettingGo = true
    #expect(guests.ask("radio_suspend AirPlay") == "")
    #expect(guests.ask("ping") == "")
    guests.radio.isLettingGo = false
    guests.session.work()
    #expect(String(decoding: guests.session.client.outgoing, as: UTF8.self) == "OK\nOK\n")
  }

  @Test(
    "An invalid name or time is refused",
    arguments: [
      ("radio_suspend \"\"", "[2@0]"), ("radio_suspend 7200", "is no number: 7200"),
      ("radio_suspend A 0", "between 1 and 86400: 0"), ("radio_suspend A 86401", "between 1 and 86400: 86401"),
      ("radio_suspend A -5", "between 1 and 86400: -5"), ("radio_suspend A x", "{radio_suspend} Integer expected"),
      ("radio_suspend A 5 6", "too many arguments"), ("radio_resume \"\"", "1 to 32 characters"),
      ("radio_resume A B", "too many arguments"),
    ])
  func refused(_ line: String, _ words: String) {
    let guests = Guests()
    #expect(guests.ask("radio_suspend AirPlay") == "OK\n" && guests.radio.newCommands == ["suspend"])
    #expect(guests.ask(line).contains(words), "\(guests.ask(line))")
    #expect(guests.told == "1 AirPlay 43200.000" && guests.radio.newCommands == [])
  }

  @Test("A ninth program is refused and must retry")
  func full() {
    let guests = Guests()
    for number in 0..<8 { #expect(guests.ask("radio_suspend A\(number)") == "OK\n") }
    #expect(guests.ask("radio_suspend B") == "ACK [52@0] {radio_suspend} 8 programs have the sound already\n")
  }

  @Test("A recreated radio leaves the card with its user")
  func successor() {
    let guests = Guests()
    let (absent, next) = (PlayerController(AbsentRadio()), FakeRadio())
    #expect(guests.ask("radio_suspend AirPlay 60") == "OK\n")
    guests.context.use(absent, absence: "There is no card.")
    #expect(absent.device.guest == "AirPlay")
    guests.context.use(PlayerController(next))
    #expect(next.newCommands == ["suspend"] && guests.told == "1 AirPlay 60.000" && absent.device.guest == nil)
    guests.context.use(guests.context.player)
    #expect(guests.ask("radio_resume AirPlay") == "OK\n" && next.newCommands == ["endSuspension"])
  }

  @Test("Without a radio the card is lent and returned too, and the next radio knows (M3)")
  func absentRadio() {
    let guests = Guests()
    #expect(guests.ask("radio_suspend AirPlay 60") == "OK\n")
    guests.context.use(PlayerController(AbsentRadio()), absence: "There is no card.")
    #expect(guests.ask("play").hasPrefix("ACK [52@0]"))
    #expect(guests.ask("radio_resume AirPlay") == "OK\n" && guests.told == "0")
    let free = FakeRadio()
    guests.context.use(PlayerController(free))
    #expect(free.newCommands == [] && guests.told == "0")
    guests.context.use(PlayerController(AbsentRadio()), absence: "There is no card.")
    #expect(guests.ask("radio_suspend Doorbell 30") == "OK\n" && guests.told == "1 Doorbell 30.000")
    let lent = FakeRadio()
    guests.context.use(PlayerController(lent))
    #expect(lent.newCommands == ["suspend"] && guests.told == "1 Doorbell 30.000")
  }

  @Test("A box without a radio lends no card")
  func noRadioEver() {
    let guests = Guests()
    guests.commands.refuseWithoutRadio(["radio_suspend", "radio_resume"])
    guests.context.use(PlayerController(AbsentRadio()), absence: "This box has no radio.")
    for line in ["radio_suspend", "radio_resume"] {
      #expect(guests.ask(line) == "ACK [52@0] {\(line)} This box has no radio.\n")
    }
  }

  // MARK: Many leases

  /// The end of each program's lease.
  private typealias Beliefs = [String: MonotonicTime]

  @Test(
    "1,000 overlapping, repeated and missing hooks: never two owners, and no silence afterwards (M3)", arguments: 1...20
  )
  func hooks(_ seed: UInt64) {
    let guests = Guests()
    var random = SeededGenerator(seed)
    var owners: Beliefs = [:]
    for step in 0..<1_000 {
      let name = ["AirPlay", "Bluetooth", "Doorbell", "Küche", "Snapcast"].randomElement(using: &random) ?? ""
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<45:
        let seconds = [1, 5, 60, 7_200].randomElement(using: &random) ?? 1
        #expect(guests.ask("radio_suspend \(name) \(seconds)") == "OK\n")
        owners[name] = guests.now + Duration(seconds: Double(seconds))
      case 45..<70:
        #expect(guests.ask("radio_resume \(name)") == "OK\n")
        owners[name] = nil
      // Some hooks are lost: the program has ended, but its lease continues.
      case 70..<80: break
      case 80..<82:
        #expect(guests.ask("radio_resume") == "OK\n")
        owners = [:]
      default:
        guests.wait(Double.random(in: 0..<40, using: &random))
        owners = owners.filter { $0.value > guests.now }
      }
      #expect(guests.radio.isSuspended == !owners.isEmpty, "step \(step)")
      #expect(owners.isEmpty == (guests.context.player.device.guest == nil), "step \(step)")
    }
    guests.wait(7_200)
    #expect(!guests.radio.isSuspended && guests.told == "0")
  }
}

import AudioOutput
import Blocks
import Glibc
import Settings
import TestSupport
import Testing
import Units

@testable import bakelite

@Suite struct DoctorMachineTests {
  private static func limits(
    priority: String = "0", lockable: String = "8388608", capabilities: String = "0", isService: Bool = false
  ) -> DoctorLimits {
    let limits = """
      Limit                     Soft Limit           Hard Limit           Units     
      Max locked memory         \(lockable)              unlimited            bytes     
      Max realtime priority     \(priority)                    99                    
      """
    return DoctorLimits(
      owner: "This shell", isService: isService, limits: limits, status: "Name:\tsh\nCapEff:\t\(capabilities)\n")
  }

  @Test(
    "Real-time priority needs a sufficient limit, or CAP_SYS_NICE",
    arguments: [
      ("0", "0", false), ("44", "0", false), ("45", "0", true), ("99", "0", true), ("unlimited", "0", true),
      ("0", "0000000000800000", true), ("0", "0000000000004000", false), ("no", "no", false),
    ])
  func realtime(_ priority: String, _ capabilities: String, _ isWell: Bool) {
    let finding = Self.limits(priority: priority, capabilities: capabilities).realtime
    #expect(finding.verdict == (isWell ? .ok : .problem), "\(finding)")
    #expect(isWell || finding.mend?.contains("@audio - rtprio 45") == true)
  }

  @Test(
    "Locked memory needs a limit of at least the sum, or CAP_IPC_LOCK",
    arguments: [("8388608", "0", true), ("65536", "0", false), ("unlimited", "0", true), ("0", "4000", true)])
  func memory(_ lockable: String, _ capabilities: String, _ isWell: Bool) {
    let finding = Self.limits(lockable: lockable, capabilities: capabilities).memory(blocks: 1_200)
    #expect(finding.verdict == (isWell ? .ok : .problem), "\(finding)")
    #expect(finding.details.count == MemoryBudget(blockCount: 1_200).lines.count + 2)
    let sum = (MemoryBudget(blockCount: 1_200).total.value + RenderThread.stackByteCount + 1_023) / 1_024
    #expect(isWell || finding.mend?.contains("@audio - memlock \(sum)") == true)
  }

  @Test("The lock limit equals the sum to the byte")
  func exactly() {
    let sum = MemoryBudget(blockCount: 100).total.value + RenderThread.stackByteCount
    #expect(Self.limits(lockable: "\(sum)").memory(blocks: 100).verdict == .ok)
    #expect(Self.limits(lockable: "\(sum - 1)").memory(blocks: 100).verdict == .problem)
  }

  @Test("The sum includes stations received in advance, which need enough blocks")
  func prefetch() {
    var settings = Configuration()
    (settings.buffer.blocks, settings.prefetch.neighbours) = (Limits.prefetchBlockCount, 2)
    let budget = MemoryBudget(blockCount: settings.buffer.blocks, standbyCount: 3)
    let sum = budget.total.value + RenderThread.stackByteCount
    #expect(Self.limits(lockable: "\(sum - 1)").findings(for: settings)[1].verdict == .problem)
    let findings = Self.limits(lockable: "\(sum)").findings(for: settings)
    #expect(findings.count == 2 && findings[1].verdict == .ok)
    #expect(findings[1].details.contains { $0.contains("rings of stations on standby (3)") })
    settings.buffer.blocks -= 1
    let small = Self.limits().findings(for: settings).last
    #expect(small?.words == "[prefetch] neighbours = 2 has no effect: it needs 192 blocks, and [buffer] blocks is 191.")
    settings.prefetch.neighbours = 0
    #expect(Self.limits().findings(for: settings).count == 2)
  }

  @Test("A service gets its rights from its unit")
  func service() {
    let limits = Self.limits(lockable: "0", isService: true)
    #expect(limits.realtime.mend?.contains("LimitRTPRIO=45") == true)
    #expect(limits.memory(blocks: 1_200).mend?.contains("LimitMEMLOCK=infinity") == true)
  }

  @Test("Without the radio's unit, the limits of its user apply")
  func trial() {
    let limits = DoctorLimits.find(hasUnit: false)
    #expect(!limits.isService)
  }

  @Test("The bus of MPRIS is checked if the settings name a bus")
  func bus() throws {
    #expect(DoctorBus(.none, file: "/b.toml").finding == nil)
    var session = DoctorBus(.session, file: "/b.toml")
    expect(try #require(session.finding), .ok, "The session bus can be reached.", "")
    session.isReachable = false
    expect(try #require(session.finding), .problem, "The session bus cannot be reached", "bus = \"none\"")
    session.hasUnit = true
    expect(try #require(session.finding), .problem, "outside of desktop sessions", "\"system\" below [mpris]")
    var system = DoctorBus(.system, file: "/b.toml")
    system.hasUnit = true
    expect(try #require(system.finding), .ok, "The system bus can be reached.", "")
    system.hasPolicy = false
    expect(try #require(system.finding), .problem, "has no rules for the radio", "reinstall the package")
    system.isReachable = false
    expect(try #require(system.finding), .problem, "The system bus cannot be reached", "systemctl status dbus")
    system.hasLibrary = false
    expect(try #require(system.finding), .problem, "missing or too old", "sudo apt install libsystemd0")
    let none = DoctorBus.find(MprisSettings(), file: "/b.toml", hasUnit: true)
    #expect(none.finding == nil)
  }

  @Test("A clock is set if it is later than the program's date")
  func clock() {
    let past = DoctorClock(seconds: 0, isKept: false).finding
    expect(past, .problem, "1970-01-01 00:00 UTC", "timedatectl set-ntp true")
    expect(DoctorClock(seconds: 1_798_761_599, isKept: true).finding, .ok, "2026-12-31 23:59 UTC; a time", "")
    expect(DoctorClock(seconds: 1_798_761_599, isKept: false).finding, .ok, "no time server", "")
    #expect(DoctorClock(seconds: .max, isKept: true).finding.verdict == .ok)
  }

  @Test("The network is checked step by step, each after the previous one")
  func network() {
    func verdicts(_ hasLink: Bool, _ hasRoute: Bool, _ answer: DoctorNetwork.Answer?) -> [DoctorFinding.Verdict] {
      DoctorNetwork(hasLink: hasLink, hasRoute: hasRoute, host: "fip.example", answer: answer).findings.map(\.verdict)
    }
    #expect(verdicts(false, false, nil) == [.problem, .skipped])
    #expect(verdicts(true, false, nil) == [.problem, .skipped])
    #expect(verdicts(true, true, .found) == [.ok, .ok])
    #expect(verdicts(true, true, .unknown) == [.ok, .problem])
    #expect(verdicts(true, true, .silent) == [.ok, .problem])
    let nameless = DoctorNetwork(hasLink: true, hasRoute: true, host: nil, answer: nil)
    #expect(nameless.findings.map(\.verdict) == [.ok, .skipped])
  }

  @Test("Name servers that know no station's host are offline, not the stations wrong")
  func unknownNames() {
    func answer(_ hosts: [String], known: Set<String> = []) -> DoctorNetwork.Answer {
      DoctorNetwork.answer(for: hosts) { known.contains($0) ? .found : .unknown }
    }
    #expect(answer(["a", "a", "b", "c", "d"]) == .allUnknown && answer(["a", "a"]) == .unknown)
    #expect(answer(["a", "b", "c", "d"], known: ["d"]) == .allUnknown, "three lookups suffice")
    #expect(answer(["a", "b", "c"], known: ["c"]) == .unknown && answer(["a", "b"], known: ["a"]) == .found)
    #expect(DoctorNetwork.answer(for: ["a", "b"]) { _ in .silent } == .silent)
    for (isDenied, answer) in [(true, DoctorNetwork.Answer.allUnknown), (false, .unknown)] {
      #expect(DoctorNetwork.answer(for: ["a"], { isDenied }) { _ in .unknown } == answer, "the only host")
    }
    let network = DoctorNetwork(hasLink: true, hasRoute: true, host: "a", answer: .allUnknown)
    expect(network.findings[1], .problem, "such as a, so this machine is probably offline", "cat /etc/resolv.conf")
    for host in ["localhost", "127.0.1.1", "::1"] { #expect(DoctorNetwork.isThisMachine(host)) }
    #expect(!DoctorNetwork.isThisMachine("broker.lan") && !DoctorNetwork.isThisMachine("192.168.127.1"))
  }

  @Test("A command for a file in the reader's home, or for a file of the reader, has no sudo")
  func sudo() {
    let folder = TemporaryFolder()
    let root = OwnFiles(homes: ["/home/anna"], user: nil)
    #expect(root.sudo("/home/anna/a/b") == "" && root.sudo("/home/anna") == "")
    #expect(root.sudo("/home/annabel/a") == "sudo ")
    #expect(root.sudo("/etc/bakelite/bakelite.toml") == "sudo " && root.sudo(folder.path + "/a") == "sudo ")
    let owner = OwnFiles(homes: [], user: getuid())
    #expect(owner.sudo(folder.path) == "" && owner.sudo(folder.path + "/no/such/file") == "")
    #expect(OwnFiles(homes: [], user: getuid() + 1).sudo(folder.path + "/a") == "sudo ")
  }

  @Test(
    "Only host names are resolved",
    arguments: [
      ("http://fip.example:80/a", "fip.example"), ("http://127.0.0.1/", nil), ("http://[::1]:80/", nil), ("", nil),
    ])
  func host(_ url: String, _ host: String?) { #expect(DoctorNetwork.host(of: StationAddress(url)) == host) }

  @Test("Missing hardware precedes problems, and problems precede successes")
  func outcome() {
    let ok = DoctorFinding.ok("a", "Well.")
    let problem = DoctorFinding.problem("b", "Not well.", mend: "this", details: ["1"])
    let missing = DoctorFinding.missing("c", "Gone.", mend: "that")
    #expect(DoctorReport(findings: [ok, .skipped("d", "Later.")]).outcome == .done)
    #expect(DoctorReport(findings: [ok, problem]).outcome == .failed)
    #expect(DoctorReport(findings: [missing, problem]).outcome == .noHardware)
    #expect(
      DoctorReport(findings: [ok, problem]).text == """
        ok       a            Well.
        problem  b            Not well.
                              1
                 fix:         this
        """)
    #expect(
      DoctorReport(findings: [problem]).json
        == #"{"check":"b","verdict":"problem","message":"Not well.","mend":"this","details":"1"}"#)
  }

  @Test("A line's number is found by its exact key")
  func procFile() {
    let text = "state: RUNNING\nowner_pid   : 1234\nTgid:\t700\n: 3\nempty:\n"
    #expect(ProcFile.number("owner_pid", in: text) == 1234)
    #expect(ProcFile.number("Tgid", in: text) == 700)
    for key in ["state", "pid", "empty", ""] { #expect(ProcFile.number(key, in: text) == nil) }
    #expect(ProcFile.text("/no/such/file") == "")
  }
}

import Foundation
import StationSupport
import TestSupport
import Testing

@Suite(.enabled(if: Repository.tool("prlimit") != nil && !Sanitizer.isOn, "needs prlimit, and no sanitizer"))
struct LockedMemoryTests {
  /// One mapping of /proc/PID/smaps; sizes in KiB.
  private struct Mapping {
    var name: String
    var access: String
    var resident = 0
    var locked = 0
  }

  private static func mappings(of process: Int32) throws -> [Mapping] {
    var mappings: [Mapping] = []
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0].hasSuffix(":") {
        let figure = words.count > 1 ? Int(words[1]) ?? 0 : 0
        if words[0] == "Rss:" { mappings[mappings.count - 1].resident = figure }
        if words[0] == "Locked:" { mappings[mappings.count - 1].locked = figure }
      } else {
        mappings.append(Mapping(name: words.count > 5 ? String(words[5]) : "", access: String(words[1])))
      }
    }
    return mappings
  }

  /// Runs a box under a limit for locked memory. A shim may report another limit.
  private static func playing(_ limit: String?, _ shim: Shim? = nil, _ work: ([Mapping]) throws -> Void) throws {
    let station = try ScriptedStation { _ in StationAction.onAir(.mp3(30)) }
    defer { station.close() }
    let box = try Box(stations: [("One", station.url())])
    let prlimit = try #require(Repository.tool("prlimit"))
    let program = try box.start(
      "null", by: limit.map { [prlimit, "--memlock=\($0)"] } ?? [], preload: shim,
      environment: shim == nil ? [:] : ["BAKELITE_MEMLOCK": "unlimited"])
    #expect(box.manager.receives("STATUS=playing: One"))
    try work(try mappings(of: program.identifier))
    #expect(try box.switchOff().code == 0)
  }

  /// True if this user may remove the limit.
  private static let mayBeUnlimited: Bool = {
    guard let prlimit = Repository.tool("prlimit") else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: prlimit)
    process.arguments = ["--memlock=unlimited:unlimited", "true"]
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// True if this user may lock memory regardless of the limit (CAP_IPC_LOCK). The shim then reports no limit.
  private static let mayLock: Bool = {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let capabilities = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
    return Shim.works && capabilities >> 14 & 1 == 1
  }()

  @Test(
    "With the service's limit, text, heap and stacks are locked, but no unused page",
    .enabled(if: mayBeUnlimited || mayLock, "the limit of locked memory cannot be raised here"))
  func unlimited() async throws {
    try await Stage.run {
      let isReal = Self.mayBeUnlimited
      try Self.playing(isReal ? "unlimited:unlimited" : nil, isReal ? nil : Shim("limits")) { mappings in
        let text = try #require(mappings.first { $0.name.hasSuffix("/bakelited") && $0.access.hasPrefix("r-x") })
        let heap = try #require(mappings.first { $0.name == "[heap]" })
        let stack = try #require(mappings.first { $0.name == "[stack]" })
        for mapping in [text, heap, stack] {
          // Pages that are shared with other programs count in part.
          #expect(mapping.locked > 0 && mapping.locked <= mapping.resident, "\(mapping)")
        }
        let locked = mappings.reduce(0) { $0 + $1.locked }
        #expect(locked > 6_000 && locked <= mappings.reduce(0) { $0 + $1.resident }, "\(locked) KiB")
      }
    }
  }

  @Test("With a shell's limit, only the blocks and the render thread's stack are locked")
  func limited() async throws {
    try await Stage.run {
      try Self.playing("8388608:8388608") { mappings in
        #expect(mappings.first { $0.name == "[heap]" }?.locked == 0)
        let locked = mappings.reduce(0) { $0 + $1.locked }
        #expect(locked > 6_000 && locked < 8_192, "\(locked) KiB")
      }
    }
  }
}

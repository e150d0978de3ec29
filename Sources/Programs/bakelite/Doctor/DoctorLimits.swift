import AudioOutput
import Blocks
import Glibc
import RadioEngine
import Settings
import Units

/// Checks a process's limits for real-time scheduling and locked memory.
struct DoctorLimits {
  /// Description of the process, such as "The radio (process 700)".
  let owner: String
  /// True for the service, whose unit sets the limits.
  let isService: Bool
  /// `RLIMIT_RTPRIO`; `Int.max` for no limit.
  let priority: Int
  /// `RLIMIT_MEMLOCK` in bytes; `Int.max` for no limit.
  let lockable: Int
  /// The bits of its effective capabilities (capabilities(7)).
  let capabilities: UInt64

  /// Parses /proc/PID/limits and /proc/PID/status.
  init(owner: String, isService: Bool, limits: String, status: String) {
    self.owner = owner
    self.isService = isService
    priority = Self.soft("Max realtime priority", in: limits)
    lockable = Self.soft("Max locked memory", in: limits)
    capabilities = ProcFile.value("CapEff", in: status).flatMap { UInt64($0, radix: 16) } ?? 0
  }

  /// Returns the limits of the running daemon, otherwise of this shell. `hasUnit`: true if the daemon's unit may set
  /// them.
  static func find(hasUnit: Bool) -> DoctorLimits {
    let daemon = ProcFile.processes(called: "bakelited").first
    let process = daemon.map { "\($0)" } ?? "self"
    return DoctorLimits(
      owner: daemon.map { "The radio (process \($0))" } ?? "This shell", isService: daemon != nil && hasUnit,
      limits: ProcFile.text("/proc/\(process)/limits"), status: ProcFile.text("/proc/\(process)/status"))
  }

  private static func soft(_ name: String, in limits: String) -> Int {
    for line in limits.split(whereSeparator: \.isNewline) where line.hasPrefix(name) {
      let word = line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first ?? ""
      return word == "unlimited" ? .max : Int(word) ?? 0
    }
    return 0
  }

  // From linux/capability.h.
  private static let lockMemory: UInt64 = 1 << 14
  private static let nice: UInt64 = 1 << 23

  /// Checks that the process may give the render thread its real-time priority.
  var realtime: DoctorFinding {
    let wanted = Int(RenderThread.priority)
    if capabilities & Self.nice != 0 {
      return .ok("real time", "\(owner) may use SCHED_FIFO \(wanted): it has CAP_SYS_NICE.")
    }
    if priority >= wanted {
      return .ok("real time", "\(owner) may use SCHED_FIFO \(wanted): its limit is \(Self.word(priority)).")
    }
    return .problem(
      "real time", "\(owner) may not use SCHED_FIFO \(wanted); its limit is \(priority).",
      mend: mend("LimitRTPRIO=\(wanted)", "@audio - rtprio \(wanted)"))
  }

  /// Checks the rights and the memory that the settings need.
  func findings(for settings: Configuration) -> [DoctorFinding] {
    let (blocks, count) = (settings.buffer.blocks, settings.prefetch.count)
    return [realtime, memory(blocks: blocks, prefetchCount: count)] + Self.prefetch(count, blocks: blocks)
  }

  /// Returns a problem if stations are to be received in advance, but the buffer is too small.
  static func prefetch(_ count: Int, blocks: Int) -> [DoctorFinding] {
    let needed = Limits.prefetchBlockCount
    guard count > 0, blocks < needed else { return [] }
    return [
      .problem(
        "prefetch",
        "[prefetch] neighbours = \(count) has no effect: it needs \(needed) blocks, and [buffer] blocks is \(blocks).",
        mend: "write blocks = \(needed) or more below [buffer] in bakelite.toml")
    ]
  }

  /// Checks that the process may lock the memory of a radio with `blocks` blocks that receives this many stations in
  /// advance.
  func memory(blocks: Int, prefetchCount: Int = 0) -> DoctorFinding {
    var settings = RadioSettings()
    (settings.blockCount, settings.prefetchCount) = (blocks, prefetchCount)
    let budget = settings.memoryBudget
    let stack = RenderThread.stackByteCount
    let wanted = budget.total.value + stack
    let stackRow = "\(Self.column(stack)) KiB  stack of the render thread, in addition"
    let details = budget.description.split(separator: "\n").map { String($0) } + [stackRow]
    let sum = "\(Self.kibibytes(wanted)) KiB"
    if capabilities & Self.lockMemory != 0 {
      return .ok("memory lock", "\(owner) may lock \(sum): it has CAP_IPC_LOCK.", details: details)
    }
    if lockable >= wanted {
      let limit = lockable == .max ? "there is no limit" : "its limit is \(lockable / 1_024) KiB"
      return .ok("memory lock", "\(owner) may lock \(sum): \(limit).", details: details)
    }
    return .problem(
      "memory lock", "\(owner) may lock only \(lockable / 1_024) KiB, but playback needs \(sum).",
      mend: mend("LimitMEMLOCK=infinity", "@audio - memlock \(Self.kibibytes(wanted))"), details: details)
  }

  private func mend(_ unit: String, _ line: String) -> String {
    isService
      ? "sudo systemctl edit bakelite   # write \(unit) below [Service]"
      : "echo '\(line)' | sudo tee -a /etc/security/limits.d/bakelite.conf   # then log in again"
  }

  private static func word(_ limit: Int) -> String { limit == .max ? "unlimited" : "\(limit)" }

  private static func kibibytes(_ bytes: Int) -> Int { (bytes + 1_023) / 1_024 }

  private static func column(_ bytes: Int) -> String {
    let digits = "\(kibibytes(bytes))"
    return String(repeating: " ", count: max(0, 7 - digits.count)) + digits
  }
}

import Glibc

/// The memory that this process may use.
public enum MachineMemory {
  /// Bytes of the machine's memory, or of the smallest limit of the process's control groups (cgroups(7), version 2).
  public static var byteCount: Int {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let machine = pages.multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
    let all = pages > 0 && !machine.overflow ? machine.partialValue : Int.max
    return min(all, groupLimit(path: "/proc/self/cgroup", root: "/sys/fs/cgroup") ?? all)
  }

  /// Returns the smallest `memory.max` of a process's group and the groups above it; nil without a limit.
  static func groupLimit(path: String, root: String) -> Int? {
    let row = text(path)?.split(separator: "\n").first { $0.hasPrefix("0::/") }
    guard let row else { return nil }
    var names = row.dropFirst(4).split(separator: "/")
    var limits: [Int] = []
    while true {
      let folder = ([root[...]] + names).joined(separator: "/")
      if let limit = text("\(folder)/memory.max").flatMap({ Int($0.prefix { $0 != "\n" }) }) { limits.append(limit) }
      guard names.popLast() != nil else { return limits.min() }
    }
  }

  private static func text(_ path: String) -> String? {
    do throws(WholeFile.Problem) {
      return String(decoding: try WholeFile.read(path, limit: 65_536), as: UTF8.self)
    } catch {
      return nil
    }
  }
}

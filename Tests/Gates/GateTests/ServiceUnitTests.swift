import AudioOutput
import Foundation
import Testing

/// `config/bakelite.service` is a contract: what the radio needs, and no more. So is that of the directory's update.
struct ServiceUnitTests {
  static let path = Repository.root.appending(path: "config/bakelite.service").path
  static let directoryPath = Repository.root.appending(path: "config/bakelite-directory.service").path
  static let announcePath = Repository.root.appending(path: "config/bakelite-announce.service").path
  static let analyzer = Tool("systemd-analyze")

  /// Its settings, a value for each line that sets one.
  static let settings = settings(of: path)

  private static func settings(of path: String) -> [String: [String]] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let pairs = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
    }
    return Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
  }

  @Test(
    "Its exposure is 2.0 at most",
    .enabled(if: analyzer != nil, "systemd-analyze is not here: apt-get install systemd"),
    arguments: [(path, 20), (directoryPath, 15), (announcePath, 20)])
  func exposure(_ path: String, _ most: Int) throws {
    let analyzer = try #require(Self.analyzer)
    let (status, text) = try analyzer.run(["security", "--offline=true", "--threshold=\(most)", "--no-pager", path])
    #expect(status == 0, "\(text)")
    #expect(text.contains("Overall exposure level for bakelite"))
  }

  @Test("The directory is updated by the radio's user, in the radio's folder, and nothing more is allowed (G2, G6)")
  func directoryUnit() {
    let unit = Self.settings(of: Self.directoryPath)
    for shared in ["DynamicUser", "User", "Group", "StateDirectory", "StateDirectoryMode", "UMask"] {
      #expect(unit[shared] == Self.settings[shared] && unit[shared] != nil, "\(shared)")
    }
    #expect(unit["ExecStart"] == ["/usr/bin/bakelite find --update --if-due"])
    #expect(unit["Type"] == ["oneshot"] && unit["PrivateDevices"] == ["yes"] && unit["DeviceAllow"] == nil)
    #expect(unit["WantedBy"] == nil, "the timer alone starts it")
    let timer = Self.settings(of: Repository.root.appending(path: "config/bakelite-directory.timer").path)
    #expect(timer["OnCalendar"] == ["daily"] && timer["Persistent"] == ["true"])
    #expect(timer["WantedBy"] == ["timers.target"])
    #expect(timer["RandomizedDelaySec"] == ["2h"], "radios do not come all at once")
  }

  @Test("The network is told of the radio by a service that begins and ends with it, and writes one folder")
  func announceUnit() {
    let unit = Self.settings(of: Self.announcePath)
    #expect(unit["PartOf"] == ["bakelite.service"] && unit["WantedBy"] == ["bakelite.service"])
    #expect(unit["Type"] == ["oneshot"] && unit["RemainAfterExit"] == ["yes"])
    #expect(
      unit["ExecStart"] == ["/usr/lib/bakelite/announce"] && unit["ExecStop"] == ["/usr/lib/bakelite/announce withdraw"]
    )
    #expect(unit["ProtectSystem"] == ["strict"] && unit["ReadWritePaths"] == ["-/etc/avahi/services"])
    #expect(unit["CapabilityBoundingSet"] == [""] && unit["RestrictAddressFamilies"] == ["AF_UNIX"])
  }

  @Test(
    "What the radio calls, it may call",
    .enabled(if: analyzer != nil, "systemd-analyze is not here: apt-get install systemd"),
    arguments: [
      "sched_setscheduler", "setpriority", "mlock", "mlockall", "mmap", "epoll_wait", "eventfd2", "socket", "connect",
      "accept4", "sendto", "flock", "fsync", "rename", "ioctl", "clock_nanosleep", "clone3", "timerfd_create",
      "inotify_init1", "shmget", "semop",
    ])
  func systemCall(_ name: String) throws {
    let filters = try #require(Self.settings["SystemCallFilter"])
    var isAllowed = false
    for filter in filters {
      let isDenying = filter.hasPrefix("~")
      for word in filter.drop(while: { $0 == "~" }).split(separator: " ") where try Self.calls(word).contains(name) {
        isAllowed = !isDenying
      }
    }
    #expect(isAllowed)
  }

  @Test func itHoldsWhatTheRadioNeeds() {
    #expect(Self.settings["Documentation"]?.first?.hasPrefix("man:bakelited(8) man:bakelite.toml(5) ") == true)
    #expect(Self.settings["Type"] == ["notify"])
    #expect(Self.settings["WatchdogSec"] == ["30"])
    #expect(Self.settings["Restart"] == ["always"])
    #expect(Self.settings["RestartPreventExitStatus"] == ["2"])
    #expect(Self.settings["LimitRTPRIO"] == ["\(RenderThread.priority)"])
    #expect(Self.settings["LimitMEMLOCK"] == ["infinity"])
    #expect(Self.settings["LimitCORE"] == ["0"], "a core dump would hold passwords")
    #expect(Self.settings["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6 AF_NETLINK"])
    #expect(Self.settings["SupplementaryGroups"] == ["audio gpio i2c input"])
    // By its name alone: one that is not there does not keep the service from starting.
    #expect(Self.settings["LoadCredential"] == ["bakelite.password", "bakelite.mqtt"])
    for forbidden in ["RestrictRealtime", "PrivateDevices", "PrivateNetwork", "After", "Wants", "Requires"] {
      #expect(Self.settings[forbidden] == nil, "\(forbidden)")
    }
  }

  @Test("The card's system mounts what lies beside it, and not what has its number") func cardMountsItsOwn() throws {
    let fstab = Repository.root.appending(path: "image/card/root/etc/fstab")
    let starter = Repository.root.appending(path: "image/card/init")
    let program = try String(contentsOf: starter, encoding: .utf8)
    for line in try String(contentsOf: fstab, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: " ")
      guard fields[1] != "/", fields[0] != "tmpfs" else { continue }
      #expect(fields[0].hasPrefix("/dev/bakelite/"), "\(line)")
      #expect(program.contains(":\(fields[0].dropFirst("/dev/bakelite/".count))"), "\(fields[0]) is named")
      if fields[2] == "vfat" { #expect(fields[3].contains("gid=audio,dmask=027,fmask=137"), "\(line)") }
    }
  }

  /// The system calls of a set, with those of the sets in it; of a call, itself.
  private static func calls(_ word: Substring) throws -> Set<String> {
    guard word.hasPrefix("@") else { return [String(word)] }
    let text = try analyzer?.run(["syscall-filter", "--no-pager", String(word)]).text ?? ""
    let words = text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("#") }
    return try words.reduce(into: []) { calls, inner in calls.formUnion(try Self.calls(inner)) }
  }
}

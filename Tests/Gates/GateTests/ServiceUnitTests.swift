import AudioOutput
import Foundation
import Testing

/// Checks that the service units grant the rights that the programs need, and no others.
struct ServiceUnitTests {
  static let path = Repository.root.appending(path: "config/bakelite.service").path
  static let directoryPath = Repository.root.appending(path: "config/bakelite-directory.service").path
  static let announcePath = Repository.root.appending(path: "config/bakelite-announce.service").path
  static let webPath = Repository.root.appending(path: "config/bakelite-web.service").path
  static let analyzer = Tool("systemd-analyze")

  /// The settings in the unit, with a value for each line.
  static let settings = settings(of: path)

  private static func settings(of path: String) -> [String: [String]] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let pairs = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
    }
    return Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
  }

  @Test(
    "Its exposure is 2.0 at most, and less where less is needed (W3)",
    .enabled(if: analyzer != nil, "systemd-analyze is not here: apt-get install systemd"),
    arguments: [(path, 20), (directoryPath, 15), (announcePath, 20), (webPath, 15)])
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
    #expect(unit["ExecStart"] == ["/usr/bin/bakelite find --update --if-due --request /run/bakelite/directory/update"])
    #expect(unit["ReadWritePaths"] == ["-/run/bakelite/directory"], "the request and the progress")
    #expect(unit["Type"] == ["oneshot"] && unit["PrivateDevices"] == ["yes"] && unit["DeviceAllow"] == nil)
    #expect(unit["WantedBy"] == nil, "the timer and the path start it")
    let path = Self.settings(of: Repository.root.appending(path: "config/bakelite-directory.path").path)
    #expect(path["PathExists"] == ["/run/bakelite/directory/update"] && path["Unit"] == ["bakelite-directory.service"])
    #expect(path["WantedBy"] == ["multi-user.target"])
    let timer = Self.settings(of: Repository.root.appending(path: "config/bakelite-directory.timer").path)
    #expect(timer["OnCalendar"] == ["daily"] && timer["Persistent"] == ["true"])
    #expect(timer["WantedBy"] == ["timers.target"])
    #expect(timer["RandomizedDelaySec"] == ["2h"], "radios do not come all at once")
  }

  @Test("A service announces the radio in the network, starts and stops with it, and writes one folder")
  func announceUnit() {
    let unit = Self.settings(of: Self.announcePath)
    #expect(unit["PartOf"] == ["bakelite.service"] && unit["WantedBy"] == ["bakelite.service"])
    #expect(unit["Type"] == ["oneshot"] && unit["RemainAfterExit"] == ["yes"])
    #expect(
      unit["ExecStart"] == ["/usr/lib/bakelite/announce"] && unit["ExecStop"] == ["/usr/lib/bakelite/announce withdraw"]
    )
    #expect(unit["ProtectSystem"] == ["strict"] && unit["ReadWritePaths"] == ["-/etc/avahi/services"])
    #expect(unit["CapabilityBoundingSet"] == [""] && unit["RestrictAddressFamilies"] == ["AF_UNIX"])
    #expect(
      unit["After"]?.joined().contains("bakelite.service") == true, "then it is known whether the web panel is on")
    let web = Self.settings(of: Self.webPath)
    for moment in ["ExecStartPost", "ExecStopPost"] {
      #expect(web[moment]?.first?.contains("try-restart bakelite-announce.service") == true, "\(moment)")
    }
    // A service that fails and restarts repeatedly would otherwise remove the radio's own entry each time.
    #expect(web["ExecStopPost"]?.first?.hasPrefix("+-/bin/sh -c 'test -e /run/bakelite/web || exec ") == true)
  }

  @Test("The web panel is a program of its own, with no right, and served while the radio says that it is on (W3)")
  func webUnits() {
    let unit = Self.settings(of: Self.webPath)
    #expect(unit["Type"] == ["notify"] && unit["ExecStart"] == ["/usr/bin/bakelite-web --service"])
    #expect(unit["DynamicUser"] == ["yes"] && unit["User"] == ["bakelite-web"], "the radio's files are not its own")
    #expect(unit["Group"] == Self.settings["Group"], "the control socket's")
    #expect(unit["StateDirectory"] == ["bakelite-web"] && unit["StateDirectoryMode"] == ["0700"], "its sessions")
    #expect(unit["DeviceAllow"] == nil && unit["SupplementaryGroups"] == nil)
    #expect(unit["CapabilityBoundingSet"] == [""] && unit["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6"])
    #expect(unit["LimitCORE"] == ["0"], "a core dump would hold passwords")
    let hidden = unit["InaccessiblePaths"]?.first?.split(separator: " ") ?? []
    #expect(hidden.contains("-/etc/bakelite"), "stations have passwords; a file alone is seen once it is replaced")
    #expect(unit["LoadCredential"] == ["password", "certificate", "key"].map { "bakelite-web.\($0)" })
    #expect(unit["Restart"] == ["on-failure"], "who ends with 0 was switched off")
    #expect(unit["WantedBy"] == nil, "its path alone starts it")
    let path = Self.settings(of: Repository.root.appending(path: "config/bakelite-web.path").path)
    #expect(path["PathExists"] == ["/run/bakelite/web"] && path["Unit"] == ["bakelite-web.service"])
    #expect(path["WantedBy"] == ["multi-user.target"])
    let socket = Self.settings(of: Repository.root.appending(path: "config/bakelite-web.socket").path)
    #expect(socket["ListenStream"] == ["80"] && socket["WantedBy"] == nil)
    #expect(socket["ConditionPathExists"] == path["PathExists"], "its port is closed while it is off")
    #expect(socket["ConditionFileNotEmpty"] == ["!/run/bakelite/web"], "and where it is served elsewhere")
  }

  @Test(
    "The web panel's port is closed with its service, unless the radio says that it is on at that port (W3)",
    arguments: [(nil, true), ("", false), ("0.0.0.0:8080\n", true)] as [(String?, Bool)])
  func webPort(_ flag: String?, _ isClosed: Bool) throws {
    let last = try #require(Self.settings(of: Self.webPath)["ExecStopPost"]?.last)
    let folder = FileManager.default.temporaryDirectory.appending(path: "bakelite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let flag { try flag.write(to: folder.appending(path: "web"), atomically: true, encoding: .utf8) }
    let words = last.replacing("/run/bakelite/", with: folder.path + "/").replacing("exec systemctl", with: "echo")
    let parts = words.split(separator: "'")
    try #require(parts.count == 2 && parts[0] == "+-/bin/sh -c ")
    let shell = try #require(Tool("sh"))
    let run = try shell.run(["-c", String(parts[1])])
    #expect(run.text == (isClosed ? "--no-block stop bakelite-web.socket\n" : "") && run.status == 0)
  }

  @Test(
    "systemd finds no fault with the units of the web panel (W3)",
    .enabled(if: analyzer != nil, "systemd-analyze is not here: apt-get install systemd"))
  func webUnitsAreRight() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bakelite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var files: [String] = []
    for kind in ["path", "socket", "service"] {
      let name = "bakelite-web.\(kind)"
      var text = try String(contentsOf: Repository.root.appending(path: "config/\(name)"), encoding: .utf8)
      // Programs of the package need not be installed.
      text = text.replacing("/usr/bin/bakelite-web", with: "/bin/true").replacing(/\nDocumentation=[^\n]*/, with: "")
      try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
      files.append(folder.appending(path: name).path)
    }
    let env = try #require(Tool("env"))
    let (status, text) = try env.run(["SYSTEMD_UNIT_PATH=\(folder.path):", "systemd-analyze", "verify"] + files)
    #expect(status == 0 && text.isEmpty, "\(text)")
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
    // The path-less form: a missing credential does not prevent the start of the service.
    #expect(Self.settings["LoadCredential"] == ["bakelite.password", "bakelite.mqtt"])
    for forbidden in ["RestrictRealtime", "PrivateDevices", "PrivateNetwork", "After", "Wants", "Requires"] {
      #expect(Self.settings[forbidden] == nil, "\(forbidden)")
    }
  }

  @Test("The card's system mounts only its own partitions") func cardMountsItsOwn() throws {
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

  /// Returns the system calls in a set, including nested sets; for a call, the call itself.
  private static func calls(_ word: Substring) throws -> Set<String> {
    guard word.hasPrefix("@") else { return [String(word)] }
    let text = try analyzer?.run(["syscall-filter", "--no-pager", String(word)]).text ?? ""
    let words = text.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("#") }
    return try words.reduce(into: []) { calls, inner in calls.formUnion(try Self.calls(inner)) }
  }
}

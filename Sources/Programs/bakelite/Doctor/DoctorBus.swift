import Glibc
import Mpris
import Settings

/// Checks the bus on which media keys and desktop applets find the radio.
struct DoctorBus {
  let bus: MprisSettings.Bus
  /// The settings file.
  let file: String
  /// True for the settings of the installed service.
  var hasUnit = false
  var hasLibrary = true
  var isReachable = true
  /// True if D-Bus has the package's rules for the radio.
  var hasPolicy = true

  private static let subject = "mpris"
  /// The folders of rules for the system bus (dbus-daemon(1)).
  private static let policyFolders = ["/usr/share/dbus-1/system.d", "/etc/dbus-1/system.d"]
  static let policyName = "bakelite.conf"

  init(_ bus: MprisSettings.Bus, file: String) { (self.bus, self.file) = (bus, file) }

  /// Checks this machine, without waiting for the bus.
  static func find(_ settings: MprisSettings, file: String, hasUnit: Bool) -> DoctorBus {
    var look = DoctorBus(settings.bus, file: file)
    look.hasUnit = hasUnit
    guard let bus = look.used else { return look }
    look.hasLibrary = MprisBus.loadLibrary()
    look.isReachable = BusAddress(bus)?.connect() != nil
    look.hasPolicy = policyFolders.contains { isFile("\($0)/\(policyName)") }
    return look
  }

  private var used: MprisBus? {
    switch bus {
    case .none: nil
    case .session: .session
    case .system: .system
    }
  }

  /// Nil without a bus in the settings.
  var finding: DoctorFinding? {
    guard let used else { return nil }
    let setting = "below [mpris] in \(file)"
    guard hasLibrary else {
      return .problem(
        Self.subject, "MPRIS needs libsystemd, which is missing or too old.", mend: "sudo apt install libsystemd0")
    }
    guard bus == .system || !hasUnit else {
      return .problem(
        Self.subject, "The radio's service is outside of desktop sessions, so it reaches no session bus.",
        mend: "write bus = \"system\" \(setting), then restart the radio")
    }
    guard isReachable else {
      let mend =
        bus == .system
        ? "sudo apt install dbus && systemctl status dbus"
        : "start the radio in a desktop session, or write bus = \"none\" \(setting)"
      return .problem(Self.subject, "The \(used.name) cannot be reached, so media keys have no effect.", mend: mend)
    }
    guard bus == .session || hasPolicy else {
      return .problem(
        Self.subject, "The system bus has no rules for the radio, so it refuses the radio's name.",
        mend: "reinstall the package of Bakelite, which contains \(Self.policyFolders[0])/\(Self.policyName)")
    }
    return .ok(Self.subject, "The \(used.name) can be reached.")
  }
}

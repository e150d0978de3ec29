import Directory
import Framing
import Glibc
import Settings

struct DoctorDirectory {
  private(set) var settings: Configuration.Directory
  /// The settings file; nil for the installed one.
  var config: String?
  /// Seconds since 1970.
  let now: Int64
  /// True for the copy in the user's cache, which no timer updates.
  private var isOwn = false

  init(settings: Configuration.Directory, config: String? = nil, now: Int64) {
    (self.settings, self.config, self.now) = (settings, config, now)
  }

  /// Checks the copy in the user's cache instead of a box's copy.
  mutating func useOwnCopy() {
    guard let path = DirectoryPlace(settings).cached else { return }
    (settings.path, isOwn) = (path, true)
  }

  private static let subject = "directory"

  var finding: DoctorFinding {
    let path = DisplayText.clean(settings.path)
    do throws(DirectoryError) { return finding(try StationDirectory(path: settings.path)) } catch {
      switch error {
      case .absent:
        return .ok(Self.subject, "There is no copy of the station directory; download it with: \(fetching)")
      case .unreadable(EACCES):
        return .skipped(Self.subject, "Only root can read the copy of the station directory, \(path).")
      default: return .problem(Self.subject, "\(path): \(error)", mend: fetching)
      }
    }
  }

  /// The command that updates this copy; the box's own copy needs root.
  private var fetching: String {
    (!isOwn && (config == nil || settings.path == InstalledPaths.directory) ? "sudo " : "") + "bakelite find --update"
      + (config.map { " --config \($0.shellWord)" } ?? "")
  }

  private func finding(_ copy: StationDirectory) -> DoctorFinding {
    let words = "The copy of the station directory has \(copy.count) stations, date \(UtcText.day(copy.date))"
    let (age, isOverflow) = now.subtractingReportingOverflow(copy.date)
    let days = settings.updateDays
    if isOwn { return .ok(Self.subject, "\(words); update it with: \(fetching)") }
    guard days > 0 else { return .ok(Self.subject, words + "; automatic updates are off (update_days = 0).") }
    // A copy is too old after three update intervals, because single updates may fail.
    guard !isOverflow, age <= Int64(3 * days) * 86_400 else {
      return .problem(
        Self.subject, words + "; automatic updates fail (update_days is \(days)).",
        mend: fetching + (config == nil ? "; systemctl status bakelite-directory.timer" : ""))
    }
    return .ok(Self.subject, words + ".")
  }
}

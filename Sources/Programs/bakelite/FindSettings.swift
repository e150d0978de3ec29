import Glibc
import Settings

/// The settings that `find` goes by, with what was changed on the box.
struct FindSettings {
  /// What is done with them.
  enum Use {
    /// The copy is searched: nobody is asked.
    case search
    /// A person has the directory's servers asked.
    case request
    /// A timer does.
    case timer
  }

  /// The settings of the directory; the defaults if the installed file cannot be used.
  let directory: Configuration.Directory
  /// The folder of the radio's state.
  let statePath: String
  private let fault: SettingsErrors?
  private let ownerFault: SettingsErrors?

  /// The settings of a file that a person named, else those of the installed one; the defaults if that is not there.
  ///
  /// - Throws: Why the file that a person named cannot be used.
  init(named: String?, installed: String = InstalledPaths.settings) throws(SettingsErrors) {
    var (configuration, fault): (Configuration, SettingsErrors?) = (Configuration(), nil)
    if let named {
      configuration = try Configuration(path: named)
    } else if isFile(installed) || errno != ENOENT {
      do throws(SettingsErrors) { configuration = try Configuration(path: installed) } catch { fault = error }
    }
    (statePath, self.fault) = (configuration.statePath, fault)
    do throws(SettingsErrors) {
      directory = try configuration.changed(by: OwnerFile(folder: configuration.statePath).load()).directory
      ownerFault = nil
    } catch {
      (directory, ownerFault) = (configuration.directory, error)
    }
  }

  /// Fails if something is to be sent, and the file that may forbid that cannot be used. A search goes on.
  func check(for use: Use) throws {
    if let fault {
      guard use == .search else { throw failure(Outcome(fault.all), "\(fault)") }
      sayError("\(fault)\nThis search goes by the defaults of [directory].")
    }
    // A person who asks for an update has had the last word on it; a timer has not.
    if use == .timer, let ownerFault { throw failure(Outcome(ownerFault.all), "\(ownerFault)") }
  }

  /// Whether the directory is told which station is played. If the owner may have forbidden that on the box, it is not.
  var countsClicks: Bool {
    guard directory.countsClicks else { return false }
    guard let ownerFault else { return true }
    sayError("\(ownerFault)\nSo the directory is not told that the station is played (count_clicks).")
    return false
  }
}

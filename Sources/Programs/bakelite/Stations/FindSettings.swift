import Glibc
import Settings

/// The settings for `find`, including changes made on the box.
struct FindSettings {
  enum Use {
    /// A search of the copy, without network access.
    case search
    case request
    case timer
  }

  /// The directory's settings; defaults if the installed file is unusable.
  let directory: Configuration.Directory
  let statePath: String
  private let fault: SettingsErrors?
  private let ownerFault: SettingsErrors?

  /// Reads the named settings file, otherwise the installed one; defaults if that does not exist or is unusable.
  ///
  /// - Throws: The fault of a named file.
  init(named: String?, installed: String = InstalledPaths.settings) throws(SettingsErrors) {
    var (configuration, fault): (Configuration, SettingsErrors?) = (Configuration(), nil)
    if let named {
      configuration = try Configuration(path: named, replacesValues: true)
    } else if isFile(installed) || errno != ENOENT {
      do throws(SettingsErrors) {
        configuration = try Configuration(path: installed, replacesValues: true)
      } catch {
        fault = error
      }
    }
    (statePath, self.fault) = (configuration.statePath, fault)
    do throws(SettingsErrors) {
      directory = try configuration.changed(
        by: OwnerFile(folder: configuration.statePath).load(), replacesValues: true
      ).directory
      ownerFault = nil
    } catch {
      (directory, ownerFault) = (configuration.directory, error)
    }
  }

  /// Fails if a file that may forbid network access is unusable: the settings, or for a timer also `owner.toml`. A
  /// search of the copy prints the fault and continues.
  func check(for use: Use) throws {
    if let fault {
      guard use == .search else { throw failure(Outcome(fault.all), "\(fault)") }
      printError("\(fault)\nThis search uses the defaults of [directory].")
    }
    // A person's request is an explicit decision; a timer's is not.
    if use == .timer, let ownerFault { throw failure(Outcome(ownerFault.all), "\(ownerFault)") }
  }

  /// True if played stations are reported. False, with a message, if the owner may have forbidden that on the box.
  var countsClicks: Bool {
    guard directory.countsClicks else { return false }
    guard let ownerFault else { return true }
    printError(
      "\(ownerFault)\nTherefore the directory receives no report about the played station (count_clicks).")
    return false
  }
}

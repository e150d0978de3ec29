import Alarms
import Settings

/// The tz database's files.
enum ZoneFiles {
  private static let folder = "/usr/share/zoneinfo/"
  private static let machine = "/etc/localtime"
  private static let byteLimit = 128 << 10

  /// Reads the rules of a zone by its name; empty for the machine's own zone. Returns UTC, and a sentence, for an
  /// unknown zone and a damaged file.
  static func rules(of zone: String) -> (rules: ZoneRules, problem: String?) {
    guard zone.isEmpty || ZoneName.isValid(zone) else {
      return (.utc, "There is no time zone of that name; alarms use UTC. Set timezone to a name such as Europe/Berlin.")
    }
    let path = zone.isEmpty ? machine : folder + zone
    do throws(SettingsError) {
      let bytes = try SmallFile.read(path, limit: byteLimit)
      do throws(ZoneError) { return (try ZoneRules(bytes), nil) } catch {
        return (.utc, "\(path): the time zone's file is damaged; alarms use UTC. Install the package tzdata again.")
      }
    } catch {
      // A machine without a zone of its own uses UTC.
      return (.utc, zone.isEmpty ? nil : "\(error.description)\nAlarms use UTC. Install the package tzdata.")
    }
  }
}

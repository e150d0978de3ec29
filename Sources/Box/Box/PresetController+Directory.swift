import Control
import Directory
import Settings

extension PresetController {
  /// Makes a station of the directory a preset, at the end.
  func keep(_ found: DirectoryEntry) throws(ControlRefusal) {
    if let place = catalog.entries.firstIndex(where: { $0.settings.url == found.url }) {
      throw ControlRefusal(.exists, "That is preset \(place + 1) already")
    }
    var station = known(found.url)
    station.name = catalog.freeName(found.name, url: found.url)
    station.directoryID = found.uuid?.description
    try add(station)
  }
}

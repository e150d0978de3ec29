import Control
import Settings

extension PresetController {
  func save(_ found: FoundStation) throws(ControlRefusal) {
    guard found.reach.allows(found.entry.url) else { throw .outsideReach }
    let found = found.entry
    if let place = catalog.entries.firstIndex(where: { $0.settings.url == found.url }) {
      throw ControlRefusal(.exists, "That is preset \(place + 1) already")
    }
    var station = storedSettings(found.url)
    station.name = catalog.freeName(found.name, url: found.url)
    station.directoryID = found.uuid?.description
    station.isFromDirectory = found.uuid == nil
    try add(station)
  }
}

import Framing
import Http
import Network
import Settings
import Units

/// Adds a playing station to the user's own list.
enum Favourite {
  /// Returns a sentence with the result.
  static func add(_ request: StationRequest, name: String) -> String {
    guard let path = UserStations.path else { return "Without HOME there is no list for your stations." }
    let list = UserStations.list ?? StationList.read([], file: path)
    var station = StationSettings(name: "", repeating: request)
    let shown = name.isEmpty ? station.host : name
    if let known = list.entries.first(where: { $0.station.isDouble(of: station) }) {
      return "\"\(known.station.name)\" is already station \(known.number) of your list."
    }
    station.name = UserStations.freeName(shown, besides: Set(list.entries.map(\.station.name)))
    // A typed address may lack its scheme.
    if station.problem != nil, let whole = try? WebAddress(written: request.url, allowsFile: true).url {
      station.url = whole
    }
    if let problem = station.problem { return "This station cannot be a favourite: \(problem)." }
    do throws(SettingsError) {
      let number = try UserStations.add(station, to: path)
      let note = request.credentials == nil ? "." : "; add its user and password to the file."
      return "\"\(station.name)\" is now station \(number) of your list\(note)"
    } catch {
      return StationFiles.sentence(error)
    }
  }
}

extension StationSettings {
  fileprivate var host: String { (try? WebAddress(written: url))?.host ?? "Station" }
}

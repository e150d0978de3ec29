import Control
import Directory
import DirectorySupport
import Settings
import System
import TestSupport
import Testing
import Units

@testable import Box

/// A temporary folder with a directory file.
final class DirectoryFolder {
  let folder = TemporaryFolder()
  var path: String { folder.path + "/directory" }

  /// Replaces the directory file with one of these stations.
  func fill(_ stations: some Sequence<SampleStation>, date: Int64 = 1) throws {
    let builder = try DirectoryBuilder(path: path)
    for station in stations {
      var row = DirectoryRow()
      for (name, text) in station.fields { if let column = DirectoryColumn(rawValue: name) { row[column] = text } }
      if let entry = DirectoryEntry(row) { try builder.append(entry) }
    }
    _ = try builder.finish(date: date, source: "test")
  }

  /// Replaces the directory file with these stations. Earlier stations get more votes.
  func fill(_ stations: [(name: String, tags: String, code: String, isAlive: Bool)]) throws {
    try fill(
      stations.enumerated().map { place, station in
        var made = SampleStation()
        (made.name, made.tags, made.isAlive, made.votes) = (station.name, station.tags, station.isAlive, 1_000 - place)
        (made.countryCode, made.country) = (station.code, Self.countries[station.code] ?? "")
        made.uuid = "960cf833-0601-11e8-ae97-52543be0\(4_000 + place)"
        made.url = "http://s\(place).example/stream"
        return made
      })
  }

  private static let countries = ["DE": "Germany", "GB": "The United Kingdom", "AT": "Austria"]
}

extension DirectoryState {
  /// The state's name, with the station count of an open directory.
  var text: String {
    switch self {
    case .opening: "opening"
    case .absent: "absent"
    case .damaged: "damaged"
    case .open(let directory): "open \(directory.count)"
    }
  }
}

/// Collects the wake-up descriptors of a keeper.
final class WakeDescriptors {
  var all: [Int32] = []
}

extension DirectoryKeeper {
  convenience init(_ folder: DirectoryFolder, _ wakes: WakeDescriptors = WakeDescriptors()) {
    self.init(path: folder.path, .machine) { wakes.all.append($0) }
  }

  /// Polls at the same test moment until the thread has read the file.
  func settled(at moment: MonotonicTime) -> DirectoryState {
    let end = Clock.machine.now() + Duration(milliseconds: 20_000)
    var state = state(at: moment)
    while isReading, Clock.machine.now() < end {
      Clock.machine.sleep(until: Clock.machine.now() + Duration(milliseconds: 1))
      state = self.state(at: moment)
    }
    return state
  }
}

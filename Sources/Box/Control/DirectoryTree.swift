import Directory
import Network
import Units

/// The station directory as MPD's tree: Radio, countries, the genres of each, and their stations by votes.
final class DirectoryTree {
  /// The copy.
  private(set) var directory: StationDirectory
  /// Where its addresses may lead.
  let reach: Reach
  private let addresses: ToldAddresses
  /// The countries by their names.
  private let countries: [Country]
  /// The stations that clients were told last, by a hash of their addresses: their ranks and one; 0 is none.
  private var ranks = [UInt32](repeating: 0, count: 8_192)

  /// A country: what clients know it by, and by what the directory finds it.
  private struct Country {
    let name: String
    /// What its stations have as their artist.
    let label: String
    let key: String
  }

  /// What the root holds, and what holds everything of a country or of all.
  static let top = "Radio"
  static let all = "All"
  /// More stations are told or added by no command.
  static let mostStations = 1_000
  /// A country has so many genres: its most frequent.
  static let mostGenres = 100

  init(_ directory: StationDirectory, _ addresses: ToldAddresses) {
    (self.directory, self.addresses) = (directory, addresses)
    reach = Reach(namedBy: StationAddress(directory.source))
    var taken: Set<String> = [Self.all]
    countries = directory.countries.compactMap { country in
      let plain = Self.component(country.name)
      let name = [plain, "\(plain) (\(country.code))"].first { !$0.isEmpty && !taken.contains($0) }
      guard let name else { return nil }
      taken.insert(name)
      let key = country.code.isEmpty ? country.name : country.code
      return Country(name: name, label: country.name, key: key)
    }
  }

  /// Goes on with the same copy, where it was closed and opened again meanwhile; false where it is another.
  func use(_ other: StationDirectory) -> Bool {
    guard directory !== other else { return true }
    guard (directory.count, directory.date, directory.byteCount) == (other.count, other.date, other.byteCount),
      directory.source == other.source
    else { return false }
    directory = other
    return true
  }

  // MARK: Folders

  /// A place in the tree that holds others, or stations.
  enum Folder {
    case root, top
    /// A country's genres; nil: those of all.
    case country(String?)
    /// The stations of a genre in a country; nil: of all.
    case genre(String?, country: String?)

    /// Whether it holds stations.
    var holdsStations: Bool { if case .genre = self { true } else { false } }

    /// The stations below it.
    var query: DirectoryQuery {
      switch self {
      case .root, .top: DirectoryQuery()
      case .country(let key): DirectoryQuery(country: key)
      case .genre(let tag, let key): DirectoryQuery(country: key, tag: tag)
      }
    }
  }

  /// The folder of a path; nil where there is none. A genre is found whatever its letters' case, and also where it is
  /// too rare to be told.
  func folder(_ path: String) -> Folder? {
    if ["", "/"].contains(path) { return .root }
    let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 3, parts[0] == Self.top else { return nil }
    guard parts.count > 1 else { return .top }
    let key = countries.first { $0.name == parts[1] }?.key
    guard key != nil || parts[1] == Self.all else { return nil }
    guard parts.count > 2 else { return .country(key) }
    if parts[2] == Self.all { return .genre(nil, country: key) }
    let query = DirectoryQuery(country: key, tag: parts[2])
    guard !FoldedText(parts[2]).isEmpty, directory.search(query, limit: 1).total > 0 else { return nil }
    return .genre(parts[2], country: key)
  }

  /// The paths of the folders that one holds.
  func folders(in folder: Folder, at path: String) -> [String] {
    let names: [String]
    switch folder {
    case .root: return [Self.top]
    case .genre: return []
    case .top: names = [Self.all] + countries.map(\.name)
    case .country(let key):
      names = [Self.all] + genres(country: key).filter { $0 != Self.all }
    }
    return names.map { "\(path)/\($0)" }
  }

  private func genres(country: String?) -> [String] {
    directory.tags(country: country, limit: Self.mostGenres).map { Self.component(DirectorySong.genre($0.name)) }
  }

  /// The countries' keys in the order of their names.
  var countryKeys: [String] { countries.map(\.key) }

  /// The key of the country that stations have as their artist; nil where that is none, or more than one.
  func key(ofArtist name: String) -> String? {
    let same = countries.filter { $0.label == name }
    return same.count == 1 ? same[0].key : nil
  }

  /// Without what parts the names of a path.
  private static func component(_ name: String) -> String {
    String(name.map { $0 == "/" ? "-" : $0 })
  }

  // MARK: Stations

  /// A station; clients that name its address from now on mean it.
  func tell(_ rank: Int) -> DirectorySong {
    let song = DirectorySong(directory[rank])
    ranks[place(of: song.file)] = UInt32(clamping: rank + 1)
    addresses.note(song.file)
    return song
  }

  /// The station of an address that was told, unless too many were since.
  func told(_ address: String) -> DirectorySong? {
    let rank = Int(ranks[place(of: address)]) - 1
    guard rank >= 0, rank < directory.count else { return nil }
    let song = DirectorySong(directory[rank])
    return song.file == address ? song : nil
  }

  private func place(of address: String) -> Int { Int(UInt(bitPattern: address.hashValue) % UInt(ranks.count)) }
}

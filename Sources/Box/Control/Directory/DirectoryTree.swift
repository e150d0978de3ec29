import Directory
import Http
import Units

/// The station directory as a tree of MPD folders: "Radio", its countries, their genres. A genre's stations are sorted
/// by votes.
final class DirectoryTree {
  private(set) var directory: StationDirectory
  let reach: AddressPolicy
  private let addresses: ReportedAddresses
  private let countries: [Country]
  /// Table of stations recently sent to clients: rank plus 1, at the hash of the address; 0 for an empty slot.
  private var ranks = [UInt32](repeating: 0, count: 8_192)

  private struct Country {
    let name: String
    let label: String
    let key: String
  }

  /// Name of the only folder in the root, and name of the folder with all countries or genres.
  static let top = "Radio"
  static let all = "All"
  /// Maximum stations that a command lists or adds.
  static let maxStations = 1_000
  static let maxGenres = 100

  init(_ directory: StationDirectory, _ addresses: ReportedAddresses) {
    (self.directory, self.addresses) = (directory, addresses)
    reach = AddressPolicy(namedBy: StationAddress(directory.source))
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

  /// Continues with a reopened directory. Returns false if its content may differ.
  func use(_ other: StationDirectory) -> Bool {
    guard directory !== other else { return true }
    guard (directory.count, directory.date, directory.byteCount) == (other.count, other.date, other.byteCount),
      directory.source == other.source
    else { return false }
    directory = other
    return true
  }

  // MARK: Folders

  enum Folder {
    case root, top
    /// The genres of a country; nil for all countries.
    case country(String?)
    /// The stations of a genre in a country; nil for all genres or all countries.
    case genre(String?, country: String?)

    var containsStations: Bool { if case .genre = self { true } else { false } }

    var query: DirectoryQuery {
      switch self {
      case .root, .top: DirectoryQuery()
      case .country(let key): DirectoryQuery(country: key)
      case .genre(let tag, let key): DirectoryQuery(country: key, tag: tag)
      }
    }
  }

  /// Returns the folder at a path; nil if missing. Genres match without case, even genres too rare for the list of
  /// folders.
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
    directory.tags(country: country, limit: Self.maxGenres).map { Self.component(DirectorySong.genre($0.name)) }
  }

  var countryKeys: [String] { countries.map(\.key) }

  /// Returns the key of the country with this artist tag; nil if unknown or ambiguous.
  func key(ofArtist name: String) -> String? {
    let same = countries.filter { $0.label == name }
    return same.count == 1 ? same[0].key : nil
  }

  private static func component(_ name: String) -> String {
    String(name.map { $0 == "/" ? "-" : $0 })
  }

  // MARK: Stations

  /// Returns a station, and records its address as sent to a client.
  func reportStation(_ rank: Int) -> DirectorySong {
    let song = DirectorySong(directory[rank])
    ranks[place(of: song.file)] = UInt32(clamping: rank + 1)
    addresses.insert(song.file)
    return song
  }

  /// Returns the station of an address sent to a client; nil if unknown, or if a later station took its slot in
  /// `ranks`.
  func reportedStation(_ address: String) -> DirectorySong? {
    let rank = Int(ranks[place(of: address)]) - 1
    guard rank >= 0, rank < directory.count else { return nil }
    let song = DirectorySong(directory[rank])
    return song.file == address ? song : nil
  }

  private func place(of address: String) -> Int { Int(UInt(bitPattern: address.hashValue) % UInt(ranks.count)) }
}

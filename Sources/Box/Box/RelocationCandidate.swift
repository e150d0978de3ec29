import Network
import Units

/// An entry of the directory, as far as a move is decided by it.
struct RelocationCandidate: Equatable, Sendable {
  /// The directory's id, a UUID in lower case.
  var id: String
  /// What it calls the station, and the same as names are compared: without case, accents and signs.
  var name: String
  var foldedName: String
  /// The address.
  var url: StationAddress
  /// The station's homepage; empty where the directory has none.
  var homepage: String
  /// How many found it good.
  var votes = 0
  /// Whether the directory found it alive when it looked last.
  var isAlive = true

  /// The homepage's own domain; nil where it has none.
  var homepageDomain: StationDomain? { homepage.isEmpty ? nil : StationDomain(StationAddress(homepage)) }
}

/// A preset that fails, as far as another address is looked for by it.
struct RelocationSubject: Equatable, Sendable {
  /// What the owner calls it, and the same as names are compared.
  var name: String
  var foldedName: String
  /// The address that fails.
  var url: StationAddress
  /// The directory's id, in lower case; nil where it is not known.
  var id: String?
  /// The homepage that the directory had while the preset came; nil where it is not known.
  var homepage: String?
  /// Whether the preset itself has the id: its station was chosen in the directory. Else the id and the homepage are
  /// those of an entry that had the preset's address, which anybody may have made.
  var isOwnID = true
  /// The addresses that the owner refused (`PresetRecord.key`).
  var refused: [UInt64] = []

  /// Whether an entry is under the station's own homepage or domain. The homepage is compared as a page, or by its
  /// domain where that is nobody else's; the addresses by theirs.
  func owns(_ candidate: RelocationCandidate) -> Bool {
    let own = [StationDomain(url), homepage.flatMap { StationDomain(StationAddress($0)) }].compactMap { $0 }
    let theirs = [candidate.homepageDomain, StationDomain(candidate.url)].compactMap { $0 }
    return own.contains { theirs.contains($0) }
  }

  /// Whether an entry is the directory's own entry of the station.
  func isSame(_ candidate: RelocationCandidate) -> Bool { id != nil && id == candidate.id }

  /// The domain that is the station's own for sure: its homepage's, else its address's. Where many stations have one
  /// hoster that nobody knows as such, their homepages lie elsewhere.
  private var ownDomain: StationDomain? {
    let home = homepage.flatMap { StationDomain(StationAddress($0)) }
    guard isOwnID else { return home == StationDomain(url) ? home : nil }
    return home ?? StationDomain(url)
  }

  /// Whether an entry may be taken without asking: the same id, and the station's own domain in its homepage or
  /// address; in its address where its homepage is the word of who made the entry.
  func isProven(_ candidate: RelocationCandidate) -> Bool {
    guard isSame(candidate), let own = ownDomain else { return false }
    return own == StationDomain(candidate.url) || isOwnID && own == candidate.homepageDomain
  }
}

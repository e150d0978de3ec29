import Network
import Units

struct RelocationCandidate: Equatable, Sendable {
  /// The directory's id, a UUID in lower case.
  var id: String
  /// `foldedName`: without case, accents and punctuation, for comparisons.
  var name: String
  var foldedName: String
  var url: StationAddress
  /// The homepage; empty if unknown.
  var homepage: String
  var votes = 0
  var isAlive = true

  var homepageDomain: StationDomain? { homepage.isEmpty ? nil : StationDomain(StationAddress(homepage)) }
}

struct RelocationSubject: Equatable, Sendable {
  /// `foldedName`: as in `RelocationCandidate`.
  var name: String
  var foldedName: String
  var url: StationAddress
  /// The directory's id in lower case; nil if unknown.
  var id: String?
  /// The homepage in the directory when the preset last played; nil if unknown.
  var homepage: String?
  /// True if the owner chose the station in the directory. Otherwise id and homepage come from an entry with the
  /// preset's address, which anyone may have created.
  var isOwnID = true
  /// The refused addresses (`PresetRecord.key`).
  var refused: [UInt64] = []

  /// Returns true if the entry and the station share a domain, in homepage or address. Domains with many users do not
  /// count.
  func sharesDomain(_ candidate: RelocationCandidate) -> Bool {
    let own = [StationDomain(url), homepage.flatMap { StationDomain(StationAddress($0)) }].compactMap { $0 }
    let theirs = [candidate.homepageDomain, StationDomain(candidate.url)].compactMap { $0 }
    return own.contains { theirs.contains($0) }
  }

  func sharesID(_ candidate: RelocationCandidate) -> Bool { id != nil && id == candidate.id }

  /// The domain that certainly belongs to the station. The homepage is compared first, because a small hosting company
  /// may serve many stations.
  private var ownDomain: StationDomain? {
    let home = homepage.flatMap { StationDomain(StationAddress($0)) }
    guard isOwnID else { return home == StationDomain(url) ? home : nil }
    return home ?? StationDomain(url)
  }

  /// Returns true if an entry may be adopted without a question. Entry and preset must have the same id, and the
  /// entry's address the station's own domain. If the owner chose the entry, its homepage may have this domain instead.
  func isProven(_ candidate: RelocationCandidate) -> Bool {
    guard sharesID(candidate), let own = ownDomain else { return false }
    return own == StationDomain(candidate.url) || isOwnID && own == candidate.homepageDomain
  }
}

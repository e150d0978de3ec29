import Units

/// A country in the directory.
public struct DirectoryCountry: Hashable, Sendable {
  /// Two capital letters (ISO 3166-1); empty if the list had none.
  public let code: String
  /// The English name.
  public let name: String
  /// Number of stations.
  public let count: Int
}

/// A tag, language or codec in the directory.
public struct DirectoryTerm: Hashable, Sendable {
  /// The spelling in the first station by rank that has the term.
  public let name: String
  /// Number of stations.
  public let count: Int
}

extension StationDirectory {
  /// The countries in name order.
  public var countries: [DirectoryCountry] {
    let countries = (0..<file.termCount(.country)).map { place in
      DirectoryCountry(
        code: file.countryCode(place), name: file.label(.country, place), count: file.stationCount(.country, place))
    }
    return countries.map { (FoldedText($0.name).description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Returns the languages, most frequent first.
  public func languages(limit: Int) -> [DirectoryTerm] { terms(.language, limit: limit) }

  /// Returns the codecs, most frequent first.
  public func codecs(limit: Int) -> [DirectoryTerm] { terms(.codec, limit: limit) }

  /// Returns the tags of all stations or of a country, most frequent first. `country`: a code or an English name.
  public func tags(country: String? = nil, limit: Int) -> [DirectoryTerm] {
    guard let country else { return terms(.tag, limit: limit) }
    var counts = [UInt32](repeating: 0, count: file.termCount(.tag))
    for rank in search(DirectoryQuery(country: country), limit: count).ranks {
      for tag in file.tags(rank) where counts.indices.contains(tag) { counts[tag] += 1 }
    }
    return terms(.tag, counts.map(Int.init), limit: limit)
  }

  private func terms(_ kind: FileLayout.TermKind, limit: Int) -> [DirectoryTerm] {
    terms(kind, (0..<file.termCount(kind)).map { file.stationCount(kind, $0) }, limit: limit)
  }

  private func terms(_ kind: FileLayout.TermKind, _ counts: [Int], limit: Int) -> [DirectoryTerm] {
    counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$1], $0) < (counts[$0], $1) }.prefix(max(0, limit)).map {
      DirectoryTerm(name: file.label(kind, $0), count: counts[$0])
    }
  }

  // MARK: Relocation

  /// Returns the ranks of the stations with a name, best first. Case and accents are ignored.
  public func ranks(named name: String) -> [Int] {
    let folded = FoldedText(name)
    guard !folded.isEmpty else { return [] }
    return ranks(FileLayout.Record.name, ShortHash.of(folded.bytes)) { FoldedText(file.name($0)) == folded }
  }

  /// Returns the ranks of the stations with an address, best first.
  public func ranks(at address: StationAddress) -> [Int] {
    ranks(FileLayout.Record.address, ShortHash.of(address.unredacted.utf8)) { self[$0].url == address }
  }

  /// Returns the ranks whose records contain a hash, if `isEqual` confirms them. `field`: the hash's place in a record.
  private func ranks(_ field: Int, _ hash: UInt32, _ isEqual: (Int) -> Bool) -> [Int] {
    var ranks: [Int] = []
    var readCount = 0
    for rank in 0..<count where file.field(rank, field) == hash {
      guard readCount < Self.maxReads else { break }
      readCount += 1
      if isEqual(rank) { ranks.append(rank) }
    }
    return ranks
  }

  /// Maximum number of stations to read. In a forged directory, a hundred thousand names may have the same hash.
  private static let maxReads = 4_000
}

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

  /// Returns candidates for a moved station, best first. Stations with the same homepage domain come first, then
  /// stations with only the same name. Many stations with the same name thus cannot displace stations with the domain.
  public func candidates(homepage: String, name: String, limit: Int) -> [Int] {
    let (domain, folded) = (WebDomain(homepage), FoldedText(name))
    let hash = ShortHash.of(folded.bytes)
    var (own, named): ([Int], [Int]) = ([], [])
    var looks = Self.maxReads
    for rank in 0..<count where own.count < limit {
      let isName = !folded.isEmpty && file.field(rank, FileLayout.Record.name) == hash
      let isDomain = domain.map { file.field(rank, FileLayout.Record.domain) == $0.hash } ?? false
      guard isDomain || isName && named.count < limit else { continue }
      looks -= 1
      guard looks >= 0 else { break }
      let entry = self[rank]
      if isDomain, WebDomain(entry.homepage) == domain {
        own.append(rank)
      } else if isName, FoldedText(entry.name) == folded {
        named.append(rank)
      }
    }
    return Array((own + named).prefix(limit))
  }

  /// Maximum number of stations to read. In a forged directory, a hundred thousand names may have the same hash.
  private static let maxReads = 4_000
}

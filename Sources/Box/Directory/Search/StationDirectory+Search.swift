extension StationDirectory {
  /// Returns matching stations, best first: stations that respond by votes, then the others. `from`: number of matches
  /// to skip.
  ///
  /// Without a match, the search accepts words with one error: first for words that match no station, then for all
  /// words. A word must have at least four letters. Errors: a missing, extra or wrong letter, or two neighbours in the
  /// wrong order.
  public func search(_ query: DirectoryQuery, limit: Int, from: Int = 0) -> DirectoryMatches {
    var filter = StationSet(capacity: count, isFull: true)
    if query.isAliveOnly { filter.retainFirst(aliveCount) }
    narrow(&filter, to: query)
    let words = Array(FoldedText(query.words).words.prefix(DirectoryQuery.maxWords))
    var found = words.map { stations(withWord: $0) }
    var all = Self.common(filter, found)
    var isMisspelt = false
    if all.isEmpty, !filter.isEmpty {
      for isEveryWord in [false, true] where all.isEmpty {
        var isNew = false
        for (index, word) in words.enumerated() where isEveryWord || found[index].isEmpty {
          guard MisspelledWord.mayBe(word) else { continue }
          found[index] = stations(withWordLike: word)
          isNew = true
        }
        guard isNew else { continue }
        all = Self.common(filter, found)
        isMisspelt = !all.isEmpty
      }
    }
    return DirectoryMatches(
      ranks: all.ranks(from: max(0, from), limit: max(0, limit)), total: all.count, isMisspelt: isMisspelt)
  }

  private static func common(_ filter: StationSet, _ sets: [StationSet]) -> StationSet {
    sets.reduce(into: filter) { $0.formIntersection($1) }
  }

  private func narrow(_ stations: inout StationSet, to query: DirectoryQuery) {
    if let country = query.country { stations.formIntersection(self.stations(.country, places(ofCountry: country))) }
    if let language = query.language {
      stations.formIntersection(self.stations(.language, places(.language, FoldedText(language).bytes)))
    }
    if let tag = query.tag { stations.formIntersection(self.stations(.tag, places(.tag, FoldedText(tag).bytes))) }
    if let codec = query.codec {
      let places = Array(codec.lowercased().utf8).withUnsafeBytes { file.beginning(.codec, $0) }
      stations.formIntersection(self.stations(.codec, places))
    }
  }

  private func places(_ kind: FileLayout.TermKind, _ text: [UInt8]) -> Range<Int> {
    text.withUnsafeBytes { key in
      let place = file.lowerBound(kind, key)
      let isThere = place < file.termCount(kind) && ByteOrder.compare(file.text(kind, place), key) == 0
      return place..<place + (isThere ? 1 : 0)
    }
  }

  private func places(ofCountry country: String) -> Range<Int> {
    let byCode = places(.country, Array(country.uppercased().utf8))
    if !byCode.isEmpty { return byCode }
    let folded = FoldedText(country)
    let named = (0..<file.termCount(.country)).first { FoldedText(file.label(.country, $0)) == folded }
    return named.map { $0..<$0 + 1 } ?? 0..<0
  }

  private func stations(_ kind: FileLayout.TermKind, _ places: Range<Int>) -> StationSet {
    var set = StationSet(capacity: count)
    for place in places { file.eachStation(kind, place) { set.insert($0) } }
    return set
  }

  /// Returns the stations with a word that starts with `word`.
  private func stations(withWord word: ArraySlice<UInt8>) -> StationSet {
    stations(.word, word.withUnsafeBytes { file.beginning(.word, $0) })
  }

  /// Returns the stations with a word that starts with `word`, with at most one error.
  private func stations(withWordLike word: ArraySlice<UInt8>) -> StationSet {
    var set = StationSet(capacity: count)
    word.withUnsafeBytes { typed in
      for place in 0..<file.termCount(.word) where MisspelledWord.fits(typed, file.text(.word, place)) {
        file.eachStation(.word, place) { set.insert($0) }
      }
    }
    return set
  }
}

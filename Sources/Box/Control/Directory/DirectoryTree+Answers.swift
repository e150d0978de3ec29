import Directory
import Network

extension DirectoryTree {
  private static let piece = 32

  var changed: String? { TimeText.utc(max(0, min(Self.latest, directory.date))) }

  /// The end of the year 9999, in seconds since 1970.
  private static let latest: Int64 = 253_402_300_799

  /// Appends the lines of MPD's `stats`. The countries count as artists.
  func addSize(_ answer: inout ControlAnswer) -> AnswerProgress {
    answer.add([
      "artists": countryKeys.count, "albums": 0, "songs": directory.count, "db_playtime": 0,
      "db_update": Int(directory.date),
    ])
    return .done
  }

  func listStations(_ walk: StationWalk, _ add: @escaping (DirectorySong, inout ControlAnswer) -> Void) -> AnswerStep {
    each(walk) { [self] rank, answer in add(reportStation(rank), &answer) }
  }

  func listDetails(_ matches: MatchWalk, _ window: Range<Int>) -> AnswerStep {
    var matches = matches
    var found = 0
    var kept: ArraySlice<Int> = []
    var isGathered = false
    return { [self] answer in
      if !isGathered, let ranks = matches.next() {
        for (place, rank) in ranks.enumerated() where window.contains(found + place) && kept.count < Self.maxStations {
          kept.append(rank)
        }
        found += ranks.count
        return .more
      }
      if !isGathered {
        answer.add(["found": found, "misspelt": matches.isMisspelt])
      }
      isGathered = true
      for rank in kept.prefix(Self.piece) { reportStation(rank).addAll(to: &answer) }
      kept = kept.dropFirst(Self.piece)
      return kept.isEmpty ? .done : .more
    }
  }

  func add(_ walk: StationWalk, to context: ControlContext, at place: Int?) -> AnswerStep {
    var place = place
    // Small pieces for an insertion in the queue, because each insertion shifts the later stations.
    return each(walk, place == nil ? Self.piece : 2) { [self] rank, _ throws(ControlRefusal) in
      let (song, player) = (reportStation(rank), context.player)
      let preset = player.presets.place(url: song.entry.url, name: song.entry.name).flatMap { player.presets[$0] }
      let found: StationRequest?
      do throws(ControlRefusal) {
        if let preset { found = preset.request } else { found = try context.request(for: song.file) }
      } catch {
        // Skip a station if its address leads into the owner's network.
        return
      }
      guard let request = found else { return }
      let position = place.map { min($0, player.queue.count) }
      guard player.add(request, name: preset?.name ?? song.entry.name, at: position) != nil else { throw .queueFull }
      place = position.map { $0 + 1 }
    }
  }

  private func each(
    _ walk: StationWalk, _ piece: Int = piece,
    _ work: @escaping (Int, inout ControlAnswer) throws(ControlRefusal) -> Void
  ) -> AnswerStep {
    var (walk, found): (StationWalk, ArraySlice<Int>) = (walk, [])
    return { answer throws(ControlRefusal) in
      if found.isEmpty {
        guard let next = walk.next() else { return .done }
        found = next[...]
      }
      for rank in found.prefix(piece) { try work(rank, &answer) }
      found = found.dropFirst(piece)
      return .more
    }
  }

  func count(_ matches: MatchWalk) -> AnswerStep {
    var (matches, count) = (matches, 0)
    return { answer in
      if let whole = matches.count {
        count = whole
      } else if let ranks = matches.next() {
        count += ranks.count
        return .more
      }
      answer.add(["songs": count, "playtime": 0])
      return .done
    }
  }

  func listTags(_ table: TagTable, of matches: MatchWalk, counts: Bool) -> AnswerStep {
    var (table, matches, isShort) = (table, matches, false)
    if !counts, let values = values(of: table.single, matches.wholeQuery) {
      table.insert(values)
      isShort = true
    }
    return { [directory] answer in
      if !isShort, counts || !table.isFull, let ranks = matches.next() {
        for rank in ranks { table.insert(DirectorySong(directory[rank])) }
        return .more
      }
      table.addLines(&answer, counts: counts)
      return .done
    }
  }

  /// Returns the values of a tag from the directory's own counts; nil if the directory has no counts for this query.
  private func values(of tag: MpdTag?, _ query: DirectoryQuery?) -> [String]? {
    guard let query, query == DirectoryQuery(country: query.country) else { return nil }
    switch tag {
    case .genre:
      return directory.tags(country: query.country, limit: Self.maxStations).map { DirectorySong.genre($0.name) }
    case .artist where query.country == nil: return directory.countries.map(\.name)
    default: return nil
    }
  }
}

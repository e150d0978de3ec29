import Directory

/// The commands about the station directory that a panel needs: its state, its update, and its lists.
enum DirectoryCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand(
        "radio_directory", "[update]", 0...1, .read,
        "reports the state of the station directory; `update` downloads it, which needs control"
      ) { call throws(ControlRefusal) in
        if let word = call[0] { try update(word, call) }
        try report(&call)
      },
      ControlCommand(
        "radio_browse", "near|popular|genres|countries|genre NAME|country CODE [window START:END]", 1...4, .read,
        "lists stations, genres or countries of the directory, as the display does"
      ) { call throws(ControlRefusal) in try browse(&call) },
    ]
  }

  // MARK: The state

  private static func update(_ word: String, _ call: ControlCall) throws(ControlRefusal) {
    guard word == "update" else { throw ControlRefusal(.argument, "There is no \(word); there is update") }
    guard call.client.may(.control) else {
      throw ControlRefusal(.permission, "you don't have permission to update the directory")
    }
    guard let updates = call.context.updates else {
      throw ControlRefusal(.notFound, "This radio is no box; `bakelite find --update` downloads the directory")
    }
    try updates.requestUpdate()
  }

  private static func report(_ call: inout ControlCall) throws(ControlRefusal) {
    let updates = call.context.updates
    let update = updates?.update
    try call.browse { answer in
      addState(update, isThere: false, &answer)
      updates?.expectCopy()
    } begin: { tree in
      return { answer in
        addState(update, isThere: true, &answer)
        answer.add(["stations": tree.directory.count, "date": tree.changed])
        return .done
      }
    }
  }

  private static func addState(_ update: DirectoryUpdateState?, isThere: Bool, _ answer: inout ControlAnswer) {
    switch update {
    case .requested: answer.add("state", "requested")
    case .running(let count): answer.add(["state": "running", "received": count])
    case .failed(let sentence): answer.add(["state": "failed", "problem": sentence])
    case .ready, nil: answer.add("state", isThere ? "ready" : "none")
    }
  }

  // MARK: The lists

  private static let maxWindow = 1_000

  private static func browse(_ call: inout ControlCall) throws(ControlRefusal) {
    var (words, window) = (call.arguments[...], 0..<maxWindow)
    if words.count > 2, words[words.count - 2] == "window" {
      window = try call.range(words.count - 1)
      words = words.dropLast(2)
    }
    let list = try DirectoryList(Array(words))
    let updates = call.context.updates
    try call.browse { _ throws(ControlRefusal) in
      updates?.expectCopy()
      throw ControlRefusal(.notFound, "There is no station directory; `bakelite find --update` fetches it")
    } begin: { tree in
      switch list {
      case .stations(let query): return tree.listStations(query, window)
      case .near:
        let own = updates?.country.map { DirectoryQuery(country: $0) }
        guard let own, tree.directory.search(own, limit: 1).total > 0 else { return tree.listCountries(window) }
        return tree.listStations(own, window)
      case .genres: return tree.listGenres(window)
      case .countries: return tree.listCountries(window)
      }
    }
  }
}

/// A list of `radio_browse`.
private enum DirectoryList {
  case near, genres, countries
  case stations(DirectoryQuery)

  init(_ words: [String]) throws(ControlRefusal) {
    switch (words[0], words.count) {
    case ("near", 1): self = .near
    case ("popular", 1): self = .stations(DirectoryQuery())
    case ("genres", 1): self = .genres
    case ("countries", 1): self = .countries
    case ("genre", 2): self = .stations(DirectoryQuery(tag: words[1]))
    case ("country", 2): self = .stations(DirectoryQuery(country: words[1]))
    default:
      throw ControlRefusal(
        .argument, "The lists are near, popular, genres, countries, genre NAME and country CODE")
    }
  }
}

extension DirectoryTree {
  private static let maxListedGenres = 400
  private static let listedPiece = 32

  /// Lists the stations of a query, most votes first.
  fileprivate func listStations(_ query: DirectoryQuery, _ window: Range<Int>) -> AnswerStep {
    let found = directory.search(query, limit: min(window.count, Self.maxStations), from: window.lowerBound)
    var (ranks, isStarted) = (found.ranks[...], false)
    return { [self] answer in
      if !isStarted { answer.add("found", found.total) }
      isStarted = true
      for rank in ranks.prefix(Self.listedPiece) { reportStation(rank).addAll(to: &answer) }
      ranks = ranks.dropFirst(Self.listedPiece)
      return ranks.isEmpty ? .done : .more
    }
  }

  /// Lists the genres, most frequent first.
  fileprivate func listGenres(_ window: Range<Int>) -> AnswerStep {
    let genres = directory.tags(limit: Self.maxListedGenres)
    return { answer in
      answer.add("found", genres.count)
      for genre in genres[window.clamped(to: 0..<genres.count)] {
        answer.add(["genre": genre.name, "stations": genre.count])
      }
      return .done
    }
  }

  /// Lists the countries by name.
  fileprivate func listCountries(_ window: Range<Int>) -> AnswerStep {
    let countries = directory.countries.map { country in
      let name = country.name.hasPrefix("The ") ? String(country.name.dropFirst(4)) : country.name
      return (country, name, FoldedText(name).description)
    }.sorted { $0.2 < $1.2 }
    return { answer in
      answer.add("found", countries.count)
      for (country, name, _) in countries[window.clamped(to: 0..<countries.count)] {
        answer.add([
          "country": name, "code": country.code.isEmpty ? country.name : country.code, "stations": country.count,
        ])
      }
      return .done
    }
  }
}

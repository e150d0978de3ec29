import Directory

enum FindCommands {
  static var rows: [ControlCommand] { listing + adding + counting }

  private static let many = ControlCommand.any
  private static let usage = "TAG VALUE…|EXPRESSION [sort TAG] [window START:END]"

  private static var listing: [ControlCommand] {
    [
      findRow("find", "lists stations of the directory with exactly these tags", isWhole: true),
      findRow("search", "does the same for prefixes of words, ignoring case and accents", isWhole: false),
      ControlCommand(
        "radio_find", "WORDS… [window START:END]", 1...many, .read,
        "finds stations by words and lists all their properties",
        findByWords),
    ]
  }

  private static var adding: [ControlCommand] {
    [
      addRow("findadd", "adds the results of `find`", isWhole: true),
      addRow("searchadd", "adds the results of `search`", isWhole: false),
      ControlCommand(
        "searchaddpl", "NAME TAG VALUE…", 2...many, .control, "refused: \(PlaylistCommands.fixed.message)"
      ) { call throws(ControlRefusal) in
        if case .absent = call.context.directory.state { throw .noDatabase }
        throw PlaylistCommands.fixed
      },
    ]
  }

  private static var counting: [ControlCommand] {
    [
      ControlCommand("count", "TAG VALUE…|EXPRESSION [group TAG]", 1...many, .read, "counts matching stations", count),
      ControlCommand(
        "list", "TAG [TAG VALUE…|EXPRESSION] [group TAG]…", 1...many, .read, "lists the distinct values of a tag", list
      ),
    ]
  }
}

extension FindCommands {
  private static func findRow(_ name: String, _ summary: String, isWhole: Bool) -> ControlCommand {
    ControlCommand(name, usage, 1...many, .read, summary) { call throws(ControlRefusal) in
      let (wanted, tags) = (try FindArguments(call, isWhole: isWhole, adds: false), call.client.tags)
      try call.browse { tree throws(ControlRefusal) in
        tree.listStations(try wanted.walk(tree, folds: !isWhole)) { song, answer in song.add(to: &answer, tags) }
      }
    }
  }

  private static func addRow(_ name: String, _ summary: String, isWhole: Bool) -> ControlCommand {
    ControlCommand(name, usage + " [position POSITION]", 1...many, .add, summary) { call throws(ControlRefusal) in
      let wanted = try FindArguments(call, isWhole: isWhole, adds: true)
      let place = try wanted.position.map { index throws(ControlRefusal) in try call.insertion(index) }
      let context = call.context
      try call.browse { tree throws(ControlRefusal) in
        tree.add(try wanted.walk(tree, folds: !isWhole), to: context, at: place)
      }
    }
  }

  private static func findByWords(_ call: inout ControlCall) throws(ControlRefusal) {
    var (words, window): (ArraySlice<String>, Range<Int>?) = (call.arguments[...], nil)
    if words.count > 2, words[words.count - 2] == "window" {
      window = try call.range(words.count - 1)
      words = words.dropLast(2)
    }
    let text = FoldedText(words.joined(separator: " ")).description.split(separator: " ").prefix(Self.maxWords)
    let query = DirectoryQuery(text.joined(separator: " "))
    try call.browse { answer throws(ControlRefusal) in
      throw ControlRefusal(.notFound, "There is no station directory; `bakelite find --update` fetches it")
    } begin: { tree in
      tree.listDetails(MatchWalk(tree, query), window ?? 0..<DirectoryTree.maxStations)
    }
  }

  private static let maxWords = 16

  private static func count(_ call: inout ControlCall) throws(ControlRefusal) {
    let (groups, rest) = groups(call.arguments[...])
    let filter = try SongFilter(rest, isWhole: true)
    let table = groups.isEmpty ? nil : try TagTable(Array(groups.prefix(1)))
    guard groups.count <= 1 else { throw ControlRefusal(.argument, "Unknown filter type") }
    try call.browse { tree throws(ControlRefusal) in
      let matches = MatchWalk(tree, try StationFilter(filter, folds: false, tree))
      guard let table else { return tree.count(matches) }
      return tree.listTags(table, of: matches, counts: true)
    }
  }

  private static func list(_ call: inout ControlCall) throws(ControlRefusal) {
    let name = call.arguments[0]
    let (groups, rest) = groups(call.arguments.dropFirst())
    let isFile = ["file", "filename"].contains(name.lowercased())
    let table = isFile ? nil : try TagTable(groups + [name])
    let filter: SongFilter
    if rest.count == 1, let artist = rest.first, !artist.hasPrefix("(") {
      guard name.lowercased() == "album" else {
        throw ControlRefusal(.argument, "should be \"Album\" for 3 arguments")
      }
      filter = .match(tags: [.artist], value: artist, isWhole: true)
    } else {
      filter = try SongFilter(rest, isWhole: true)
    }
    try call.browse { tree throws(ControlRefusal) in
      let matches = MatchWalk(tree, try StationFilter(filter, folds: false, tree))
      guard let table else {
        return tree.listStations(StationWalk(matches, tree)) { song, answer in answer.add("file", song.file) }
      }
      return tree.listTags(table, of: matches, counts: false)
    }
  }

  /// Separates the `group TAG` pairs from the end of the arguments. Returns their tags in reverse order, and the other
  /// arguments.
  private static func groups(_ arguments: ArraySlice<String>) -> ([String], ArraySlice<String>) {
    var (groups, rest): ([String], ArraySlice<String>) = ([], arguments)
    while rest.count >= 2, rest[rest.endIndex - 2] == "group", let tag = rest.last {
      groups.append(tag)
      rest = rest.dropLast(2)
    }
    return (groups, rest)
  }
}

extension FindArguments {
  fileprivate func walk(_ tree: DirectoryTree, folds: Bool) throws(ControlRefusal) -> StationWalk {
    StationWalk(MatchWalk(tree, try StationFilter(filter, folds: folds, tree)), tree, sort, window)
  }
}

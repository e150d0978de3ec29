/// What tells of the queue.
enum QueueListCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("currentsong", .read, "tells the current station and its title") { call in
        guard let id = call.player.currentID, let position = call.player.queue.position(of: id) else { return }
        call.list([position])
      },
      ControlCommand("playlist", .read, "tells all addresses") { call in
        for (position, station) in call.player.queue.stations.enumerated() {
          call.answer.add(line: "\(position):file: \(station.address)")
        }
      },
      ControlCommand("playlistinfo", "[POSITION|START:END]", 0...1, .read, "tells stations") {
        call throws(ControlRefusal) in
        call.list(call.arguments.isEmpty ? 0..<call.player.queue.count : try call.positions(0))
      },
      ControlCommand("playlistid", "[ID]", 0...1, .read, "tells all stations, or the one with an id") {
        call throws(ControlRefusal) in
        if call.arguments.isEmpty { return call.list(0..<call.player.queue.count) }
        call.list([try call.position(ofID: 0)])
      },
      ControlCommand(
        "playlistfind", "TAG VALUE…|EXPRESSION", 1...ControlCommand.any, .read, "tells stations that match"
      ) {
        call throws(ControlRefusal) in
        try call.find(isWhole: true)
      },
      ControlCommand("playlistsearch", "TAG PART…|EXPRESSION", 1...ControlCommand.any, .read, "the same, less strict") {
        call throws(ControlRefusal) in
        try call.find(isWhole: false)
      },
      ControlCommand("plchanges", "VERSION [START:END]", 1...2, .read, "tells stations that changed since a version") {
        call throws(ControlRefusal) in
        call.list(try call.changedPositions())
      },
      ControlCommand("plchangesposid", "VERSION [START:END]", 1...2, .read, "the same, positions and ids only") {
        call throws(ControlRefusal) in
        for position in try call.changedPositions() {
          call.answer.add("cpos", position)
          call.answer.add("Id", call.player.queue[position]?.id)
        }
      },
    ]
  }
}

extension ControlCall {
  fileprivate mutating func find(isWhole: Bool) throws(ControlRefusal) {
    let filter = try SongFilter(arguments, isWhole: isWhole)
    for position in 0..<player.queue.count {
      if let song = song(position), filter.matches(song, folds: !isWhole) { song.add(to: &answer, session.tags) }
    }
  }

  fileprivate func changedPositions() throws(ControlRefusal) -> [Int] {
    // A negative version is one beyond all, as an unsigned number is.
    let version = try integer(0, in: -Int(Int32.max)...Int(UInt32.max))
    let window = arguments.count > 1 ? try range(1) : 0..<Int.max
    return player.queue.positions(changedSince: version < 0 ? .max : version).filter { window.contains($0) }
  }
}

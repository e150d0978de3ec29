import RadioEngine

enum QueueListCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand("currentsong", .read, "reports the current station and its title") { call in
        guard let id = call.player.currentID, let position = call.player.queue.position(of: id) else { return }
        list(&call, [position])
      },
      ControlCommand("playlist", .read, "lists all addresses") { call in
        for (position, station) in call.player.queue.stations.enumerated() {
          call.answer.add(line: "\(position):file: \(station.address)")
        }
      },
      ControlCommand("playlistinfo", "[POSITION|START:END]", 0...1, .read, "lists stations") {
        call throws(ControlRefusal) in
        list(&call, call.arguments.isEmpty ? 0..<call.player.queue.count : try call.positions(0))
      },
      ControlCommand("playlistid", "[ID]", 0...1, .read, "lists all stations, or the one with an id") {
        call throws(ControlRefusal) in
        if call.arguments.isEmpty { return list(&call, 0..<call.player.queue.count) }
        list(&call, [try call.position(ofID: 0)])
      },
      findRow("playlistfind", "TAG VALUE…|EXPRESSION", "lists matching stations", isWhole: true),
      findRow("playlistsearch", "TAG PART…|EXPRESSION", "does the same for parts of words", isWhole: false),
      ControlCommand("plchanges", "VERSION [START:END]", 1...2, .read, "lists stations that changed since a version") {
        call throws(ControlRefusal) in
        list(&call, try changedPositions(call))
      },
      ControlCommand("plchangesposid", "VERSION [START:END]", 1...2, .read, "does the same with positions and ids only")
      {
        call throws(ControlRefusal) in
        for position in try changedPositions(call) {
          call.answer.add(["cpos": position, "Id": call.player.queue[position]?.id])
        }
      },
    ]
  }
}

extension QueueListCommands {
  private static func findRow(_ name: String, _ usage: String, _ summary: String, isWhole: Bool) -> ControlCommand {
    ControlCommand(name, usage, 1...ControlCommand.any, .read, summary) { call throws(ControlRefusal) in
      let filter = try SongFilter(call.arguments, isWhole: isWhole)
      for position in 0..<call.player.queue.count {
        if let song = song(call, position), filter.matches(song, folds: !isWhole) {
          song.add(to: &call.answer, call.client.tags)
        }
      }
    }
  }

  private static func changedPositions(_ call: ControlCall) throws(ControlRefusal) -> [Int] {
    // A negative version means a future version, as in an unsigned number.
    let version = try call.integer(0, in: -Int(Int32.max)...Int(UInt32.max))
    let window = call.arguments.count > 1 ? try call.range(1) : 0..<Int.max
    return call.player.queue.positions(changedSince: version < 0 ? .max : version).filter { window.contains($0) }
  }

  private static func song(_ call: ControlCall, _ position: Int) -> Song? {
    call.player.queue[position].map { station in
      let status = status(call, station)
      let source = status == nil ? nil : call.player.fallback.fallbackName
      return Song(station: station, position: position, status: status, sourceName: source)
    }
  }

  private static func status(_ call: ControlCall, _ station: QueuedStation) -> RadioStatus? {
    station.id == call.player.tunedID ? call.player.status : nil
  }

  private static func list(_ call: inout ControlCall, _ positions: some Sequence<Int>) {
    for position in positions { song(call, position)?.add(to: &call.answer, call.client.tags) }
  }
}

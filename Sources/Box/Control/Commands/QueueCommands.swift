import Framing
import Network
import Units

enum QueueCommands {
  static var rows: [ControlCommand] { adding + moving + describing }

  private static var adding: [ControlCommand] {
    [
      ControlCommand(
        "add", "ADDRESS|PATH [POSITION]", 1...2, .add,
        "adds a station, or those of a folder, at the end or at a position"
      ) {
        call throws(ControlRefusal) in
        if call.isPath(0) { try call.addFolder() } else { _ = try call.addStation() }
      },
      ControlCommand("addid", "ADDRESS [POSITION]", 1...2, .add, "adds a station and reports its id") {
        call throws(ControlRefusal) in
        if call.isPath(0), case .open = call.context.directory.state { throw .noSong }
        call.answer.add("Id", try call.addStation())
      },
      ControlCommand("delete", "POSITION|START:END", 1...1, .player, "removes stations") {
        call throws(ControlRefusal) in
        call.player.delete(try call.positionsToDelete(0))
      },
      ControlCommand("deleteid", "ID", 1...1, .player, "removes the station with an id") {
        call throws(ControlRefusal) in
        let position = try call.position(ofID: 0)
        call.player.delete(position..<position + 1)
      },
      ControlCommand("clear", .player, "removes all stations from the queue and stops; presets stay") {
        $0.player.clear()
      },
    ]
  }

  private static var moving: [ControlCommand] {
    [
      ControlCommand(
        "move", "POSITION|START:END TO", 2...2, .player, "moves stations; +N and -N are relative to the current one"
      ) {
        call throws(ControlRefusal) in
        let positions = try call.range(0)
        guard !positions.isEmpty, positions.upperBound <= call.player.queue.count else { throw .badIndex }
        let target = try call.destination(1, moving: positions)
        call.player.edit { $0.move(positions, to: target) }
      },
      ControlCommand("moveid", "ID TO", 2...2, .player, "moves the station with an id") { call throws(ControlRefusal) in
        let position = try call.position(ofID: 0)
        let target = try call.destination(1, moving: position..<position + 1)
        call.player.edit { $0.move(position..<position + 1, to: target) }
      },
      ControlCommand("swap", "POSITION POSITION", 2...2, .player, "swaps two stations") {
        call throws(ControlRefusal) in
        let (one, other) = (try call.integer(0), try call.integer(1))
        guard call.player.edit({ $0.swap(one, other) }) else { throw .badIndex }
      },
      ControlCommand("swapid", "ID ID", 2...2, .player, "swaps two stations by id") {
        call throws(ControlRefusal) in
        let (one, other) = (try call.position(ofID: 0), try call.position(ofID: 1))
        call.player.edit { $0.swap(one, other) }
      },
      ControlCommand("shuffle", "[START:END]", 0...1, .player, "shuffles stations") {
        call throws(ControlRefusal) in
        let positions = call.arguments.isEmpty ? 0..<call.player.queue.count : try call.positions(0)
        call.player.edit { $0.shuffle(positions) }
      },
    ]
  }

  private static var describing: [ControlCommand] {
    [
      ControlCommand(
        "prio", "PRIORITY START:END…", 2...ControlCommand.any, .player, "sets the priority in random order"
      ) {
        call throws(ControlRefusal) in
        let priority = try call.integer(0, in: 0...255)
        for index in call.arguments.indices.dropFirst() {
          let positions = try call.positions(index)
          call.player.edit { $0.prioritise(positions, priority) }
        }
      },
      ControlCommand("prioid", "PRIORITY ID…", 2...ControlCommand.any, .player, "does the same by ids") {
        call throws(ControlRefusal) in
        let priority = try call.integer(0, in: 0...255)
        for index in call.arguments.indices.dropFirst() {
          let position = try call.position(ofID: index)
          call.player.edit { $0.prioritise(position..<position + 1, priority) }
        }
      },
      ControlCommand("rangeid", "ID START:END", 2...2, .add, "refused: stations have no parts") {
        call throws(ControlRefusal) in
        _ = try call.position(ofID: 0)
        throw ControlRefusal(.unknown, "Ranges are not supported")
      },
      ControlCommand("addtagid", "ID Name VALUE", 3...3, .add, "gives a station a name of up to 100 characters") {
        call throws(ControlRefusal) in
        let id = try call.integer(0)
        let isName = try call.isName(1)
        guard call.player.queue[id: id] != nil else { throw .noSong }
        guard isName else { throw ControlRefusal(.unknown, "Only the tag Name can be set") }
        let name = DisplayText.clean(call.arguments[2], characterLimit: 100)
        guard call.player.edit({ $0.rename(id: id, name) }) else { throw .queueFull }
      },
      ControlCommand("cleartagid", "ID [Name]", 1...2, .add, "removes the name") { call throws(ControlRefusal) in
        let id = try call.integer(0)
        let isName = call.arguments.count == 1 ? true : try call.isName(1)
        guard call.player.queue[id: id] != nil else { throw .noSong }
        if isName { call.player.edit { $0.rename(id: id, "") } }
      },
    ]
  }
}

extension ControlCall {
  fileprivate func addStation() throws(ControlRefusal) -> Int {
    let station = try station(for: arguments[0])
    let place = arguments.count > 1 ? try insertion(1) : nil
    guard let id = player.add(station.request, name: station.name, at: place) else { throw .queueFull }
    return id
  }

  /// True if an argument may be a path in the station directory instead of an address.
  fileprivate func isPath(_ index: Int) -> Bool {
    arguments[index] == "/" || !isAddress(arguments[index]) && !arguments[index].hasPrefix("/")
  }

  /// Adds the stations with most votes in the folder of the first argument, at the position of the second.
  fileprivate mutating func addFolder() throws(ControlRefusal) {
    let (path, context) = (arguments[0], context)
    let place = arguments.count > 1 ? try insertion(1) : nil
    try browse { tree throws(ControlRefusal) in
      guard let folder = tree.folder(path) else { throw .noDirectory }
      return tree.add(StationWalk(MatchWalk(tree, folder.query), tree), to: context, at: place)
    }
  }

  /// Returns the station of an address or a `station:NAME`. If it is a preset, returns the preset.
  func station(for address: String) throws(ControlRefusal) -> Preset {
    let hidden = player.queue.hidden(address)
    let place = player.presets.place(url: hidden?.request.url ?? StationAddress(address), name: hidden?.name ?? "")
    if let preset = place.flatMap({ player.presets[$0] }) { return preset }
    if let hidden { return hidden }
    return Preset(name: context.directory.name(of: address), request: try request(for: address))
  }

  func isAddress(_ text: String?) -> Bool {
    text.map { $0.contains("://") || player.queue.hidden($0) != nil } ?? false
  }

  func request(for address: String) throws(ControlRefusal) -> StationRequest {
    if let request = try context.request(for: address) { return request }
    if address.hasPrefix("/") { throw ControlRefusal(.notFound, "Files are not played from here: \(address)") }
    guard address.contains("://") else { throw .noDatabase }
    throw ControlRefusal(.argument, "Unsupported URI scheme")
  }

  fileprivate func isName(_ index: Int) throws(ControlRefusal) -> Bool {
    if let tag = MpdTag(named: arguments[index]) { return tag == .name }
    guard SongFilter.mpdTags.contains(arguments[index].lowercased()) else {
      throw ControlRefusal(.argument, "Unknown tag type: \(arguments[index])")
    }
    return false
  }
}

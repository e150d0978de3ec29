/// The commands for stored playlists, which are the presets. Clients read and load them; only `radio_preset` changes
/// them.
enum PlaylistCommands {
  static var rows: [ControlCommand] { reading + refused }

  private static var reading: [ControlCommand] {
    [
      ControlCommand("listplaylists", .read, "lists the stored playlists: Presets, and one per preset") {
        addPlaylists($0.player, &$0.answer)
      },
      ControlCommand("listplaylist", "NAME", 1...1, .read, "lists the addresses of a stored playlist") {
        call throws(ControlRefusal) in
        for preset in try playlist(call) { call.answer.add("file", call.player.edit { $0.file(of: preset) }) }
      },
      ControlCommand("listplaylistinfo", "NAME", 1...1, .read, "lists the stations of a stored playlist") {
        call throws(ControlRefusal) in
        for preset in try playlist(call) {
          call.answer.add("file", call.player.edit { $0.file(of: preset) })
          guard !preset.name.isEmpty, call.client.tags.contains(.name) else { continue }
          call.answer.add(MpdTag.name.rawValue, preset.name)
        }
      },
      ControlCommand(
        "load", "NAME|ADDRESS [START:END] [POSITION]", 1...3, .add,
        "adds the presets of a stored playlist, or an address as a station"
      ) { call throws(ControlRefusal) in try load(call) },
    ]
  }

  private static var refused: [ControlCommand] {
    [
      .off("save", "NAME", 1...1, .control, fixed), .off("rm", "NAME", 1...1, .control, fixed),
      .off("rename", "NAME NEW_NAME", 2...2, .control, fixed),
      .off("playlistadd", "NAME URI [POSITION]", 2...3, .control, fixed),
      .off("playlistclear", "NAME", 1...1, .control, fixed),
      .off("playlistdelete", "NAME POSITION", 2...2, .control, fixed),
      .off("playlistmove", "NAME FROM TO", 3...3, .control, fixed),
    ]
  }

  private static let noPlaylist = ControlRefusal(.notFound, "No such playlist")
  static let fixed = ControlRefusal(.unknown, "Stored playlists are the presets; radio_preset changes them")
}

extension PlaylistCommands {
  static func addPlaylists(_ player: PlayerController, _ answer: inout ControlAnswer) {
    let moment = TimeText.utc(player.presets.changed)
    for name in player.presets.playlists {
      answer.add(["playlist": name, "Last-Modified": moment])
    }
  }

  private static func playlist(_ call: ControlCall) throws(ControlRefusal) -> [Preset] {
    guard let presets = call.player.presets.playlist(call.arguments[0]) else { throw noPlaylist }
    return presets
  }

  private static func load(_ call: ControlCall) throws(ControlRefusal) {
    guard let presets = call.player.presets.playlist(call.arguments[0]) else {
      guard call.isAddress(call.arguments[0]) else { throw noPlaylist }
      let station = try call.station(for: call.arguments[0])
      guard call.player.add(station.request, name: station.name) != nil else { throw .queueFull }
      return
    }
    let part = call.arguments.count > 1 ? try call.range(1) : 0..<presets.count
    guard part.lowerBound <= presets.count else { throw .badIndex }
    var place = call.arguments.count > 2 ? try call.insertion(2) : call.player.queue.count
    for preset in presets[part.clamped(to: presets.indices)] {
      guard call.player.add(preset.request, name: preset.name, at: place) != nil else { throw .queueFull }
      place += 1
    }
  }
}

/// What there is not: a database, stickers, pictures. Refused as MPD refuses it where these are off.
enum DatabaseCommands {
  static var rows: [ControlCommand] { songs + pictures }

  private static let many = ControlCommand.any

  private static var songs: [ControlCommand] {
    [
      filtered("count", .read), filtered("find", .read), filtered("search", .read), filtered("findadd", .add),
      filtered("searchadd", .add),
      noDatabase("searchaddpl", "NAME TAG VALUE…", 2...many, .control),
      ControlCommand("list", "TAG …", 1...many, .read, "refused: No database") { call throws(ControlRefusal) in
        let name = call.arguments[0]
        guard
          MpdTag(named: name) != nil || SongFilter.mpdTags.contains(name.lowercased()) || name.lowercased() == "file"
        else { throw ControlRefusal(.argument, "Unknown tag type: \(name)") }
        throw .noDatabase
      },
      noDatabase("listall", "[URI]", 0...1, .read), noDatabase("listallinfo", "[URI]", 0...1, .read),
      noDatabase("listfiles", "[URI]", 0...1, .read),
      ControlCommand(
        "lsinfo", "[URI]", 0...1, .read,
        "tells the stored playlists, and nothing of an address; else refused: No database"
      ) { call throws(ControlRefusal) in
        // `mpc lsplaylists` and others look for playlists here, as MPD has them in its root directory.
        if ["", "/"].contains(call[0] ?? ""), !call.player.presets.isEmpty {
          return PlaylistCommands.tellPlaylists(&call)
        }
        guard call.isAddress(call[0]) else { throw .noDatabase }
      },
      ofAddress("readcomments", "URI", 1...1),
      noDatabase("getfingerprint", "URI", 1...1, .read), noDatabase("update", "[URI]", 0...1, .control),
      noDatabase("rescan", "[URI]", 0...1, .control), noDatabase("listmounts", "", 0...0, .read),
      noDatabase("mount", "PATH URI", 2...2, .admin), noDatabase("unmount", "PATH", 1...1, .admin),
      .off("listneighbors", "", 0...0, .read, ControlRefusal(.unknown, "No neighbor plugin configured")),
      .off("sticker", "…", 3...many, .admin, ControlRefusal(.unknown, "sticker database is disabled")),
    ]
  }

  private static var pictures: [ControlCommand] {
    [
      ControlCommand("albumart", "URI OFFSET", 2...2, .read, "refused: stations send no pictures") {
        call throws(ControlRefusal) in
        _ = try call.integer(1)
        throw call.isAddress(call.arguments[0]) ? ControlRefusal(.notFound, "No file exists") : .noDatabase
      },
      ControlCommand("readpicture", "URI OFFSET", 2...2, .read, "tells nothing: stations send no pictures") {
        call throws(ControlRefusal) in
        _ = try call.integer(1)
        if !call.isAddress(call.arguments[0]) { throw .noDatabase }
      },
    ]
  }

  private static func noDatabase(
    _ name: String, _ usage: String, _ arity: ClosedRange<Int>, _ permission: Permission
  ) -> ControlCommand {
    .off(name, usage, arity, permission, .noDatabase).told
  }

  private static func filtered(_ name: String, _ permission: Permission) -> ControlCommand {
    ControlCommand(name, "TAG VALUE…|EXPRESSION", 1...many, permission, "refused: No database") {
      call throws(ControlRefusal) in
      _ = try SongFilter(call.arguments, isWhole: true)
      throw .noDatabase
    }
  }

  /// Nothing is known beforehand of an address, and that is no failure.
  private static func ofAddress(_ name: String, _ usage: String, _ arity: ClosedRange<Int>) -> ControlCommand {
    ControlCommand(name, usage, arity, .read, "tells nothing of an address; else refused: No database") {
      call throws(ControlRefusal) in
      guard call.isAddress(call[0]) else { throw .noDatabase }
    }
  }
}

extension ControlCommand {
  /// The same row, of which `commands` tells.
  fileprivate var told: ControlCommand {
    var row = self
    row.isTold = true
    return row
  }
}

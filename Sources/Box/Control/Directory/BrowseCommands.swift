import Directory

enum BrowseCommands {
  static var rows: [ControlCommand] {
    [
      ControlCommand(
        "lsinfo", "[PATH|ADDRESS]", 0...1, .read,
        "lists a folder of the station directory; the root also has the stored playlists"
      ) { call throws(ControlRefusal) in try listFolder(&call) },
      ControlCommand("listall", "[PATH]", 0...1, .read, "lists a folder, its subfolders and their stations") {
        call throws(ControlRefusal) in try list(&call, Detail(isDeep: true, tags: nil))
      },
      ControlCommand("listallinfo", "[PATH]", 0...1, .read, "does the same with the stations' tags") {
        call throws(ControlRefusal) in try list(&call, Detail(isDeep: true, tags: call.client.tags))
      },
      ControlCommand("listfiles", "[PATH]", 0...1, .read, "lists a folder as files") {
        call throws(ControlRefusal) in try list(&call, Detail(isDeep: false, isPlain: true, tags: nil))
      },
    ]
  }

  private struct Detail {
    var isDeep: Bool
    /// True to list folders by name, without their path.
    var isPlain = false
    /// The tags to list for each station; nil: only addresses.
    var tags: Set<MpdTag>?
  }

  private static func listFolder(_ call: inout ControlCall) throws(ControlRefusal) {
    let path = call[0] ?? ""
    if call.isAddress(path) {
      call.context.directory.song(of: path)?.add(to: &call.answer, call.client.tags)
      return
    }
    let detail = Detail(isDeep: false, tags: call.client.tags)
    guard ["", "/"].contains(path) else { return try list(&call, detail) }
    let context = call.context
    // MPD has the stored playlists in its root directory; `mpc lsplaylists` and other clients list them from there.
    try call.browse { answer throws(ControlRefusal) in
      guard !context.player.presets.isEmpty else { throw .noDatabase }
      PlaylistCommands.addPlaylists(context.player, &answer)
    } begin: { tree in
      { answer in
        addFolders([DirectoryTree.top], of: tree, detail, &answer)
        PlaylistCommands.addPlaylists(context.player, &answer)
        return .done
      }
    }
  }

  private static func list(_ call: inout ControlCall, _ detail: Detail) throws(ControlRefusal) {
    let path = call[0] ?? ""
    try call.browse { tree throws(ControlRefusal) in
      guard let folder = tree.folder(path) else { throw .noDirectory }
      var folders = tree.folders(in: folder, at: path)
      if detail.isDeep {
        if case .root = folder {
          folders += tree.folders(in: .top, at: DirectoryTree.top)
        } else {
          folders.insert(path, at: 0)
        }
      }
      var stations: AnswerStep?
      if detail.isDeep || folder.containsStations {
        stations = tree.listStations(StationWalk(MatchWalk(tree, folder.query), tree)) { song, answer in
          song.add(to: &answer, detail.tags ?? [])
        }
      }
      return { answer throws(ControlRefusal) in
        addFolders(folders, of: tree, detail, &answer)
        folders = []
        return try stations?(&answer) ?? .done
      }
    }
  }

  private static func addFolders(
    _ folders: [String], of tree: DirectoryTree, _ detail: Detail, _ answer: inout ControlAnswer
  ) {
    for path in folders {
      let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
      answer.add("directory", detail.isPlain ? name : path)
      if !detail.isDeep || detail.tags != nil { answer.add("Last-Modified", tree.changed) }
    }
  }
}

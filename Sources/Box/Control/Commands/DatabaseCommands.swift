/// MPD's commands for features that Bakelite lacks: files, stickers, pictures. The errors are those of an MPD without
/// these features.
enum DatabaseCommands {
  static var rows: [ControlCommand] { songs + pictures }

  private static let many = ControlCommand.any

  private static var songs: [ControlCommand] {
    [
      // An empty reply for any address, as MPD does for streams.
      ControlCommand(
        "readcomments", "URI", 1...1, .read, "reports nothing for an address; otherwise refused: No database"
      ) { call throws(ControlRefusal) in
        guard call.isAddress(call[0]) else { throw .noDatabase }
      },
      noDatabase("getfingerprint", "URI", 1...1, .read), updating("update"), updating("rescan"),
      noDatabase("listmounts", "", 0...0, .read),
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
      ControlCommand("readpicture", "URI OFFSET", 2...2, .read, "reports nothing: stations send no pictures") {
        call throws(ControlRefusal) in
        _ = try call.integer(1)
        if !call.isAddress(call.arguments[0]) { throw .noDatabase }
      },
    ]
  }

  private static func noDatabase(
    _ name: String, _ usage: String, _ arity: ClosedRange<Int>, _ permission: Permission
  ) -> ControlCommand {
    ControlCommand(name, usage, arity, permission, "refused: \(ControlRefusal.noDatabase.message)") {
      _ throws(ControlRefusal) in
      throw .noDatabase
    }
  }

  /// Creates a command that always refuses, because only the owner updates the directory.
  private static func updating(_ name: String) -> ControlCommand {
    let refusal = ControlRefusal(.unknown, "`bakelite find --update` updates the station directory")
    return ControlCommand(name, "[URI]", 0...1, .control, "refused: \(refusal.message)") {
      call throws(ControlRefusal) in
      if case .absent = call.context.directory.state { throw .noDatabase }
      throw refusal
    }
  }
}

import Units

/// `[snapcast]`: a snapserver.
public struct SnapcastSettings: Equatable, Sendable {
  /// The named pipe that it reads.
  public var pipe = InstalledPaths.snapcastPipe
  /// Its `buffer`: how long after it took sound the rooms play it, in milliseconds.
  public var bufferMilliseconds = Defaults.snapcastMilliseconds
  /// Where its JSON-RPC is, by which rooms are shown and set; nil: they are not.
  public var server = ServerAddress(Defaults.snapcastServer)
  /// The client of this machine, by its name or by what the server knows it by; empty: the one that says that it is
  /// on this machine.
  public var client = ""

  /// Reads `[snapcast]`; `isRoom` says whether `[audio]` asks for a room.
  mutating func read(_ table: TableReader, isRoom: Bool) {
    pipe = table.path("pipe", .path) ?? pipe
    bufferMilliseconds = table.whole("buffer_ms", Limits.snapcastMilliseconds, "ms") ?? bufferMilliseconds
    if let server = table.text("server", .snapserver) { self.server = ServerAddress(server) }
    client = table.text("client", .client) ?? client
    table.close()
    if isRoom, server == nil {
      table.complain(at: ["server"], "server must name the snapserver whose room this is, since [audio] output is room")
    }
  }
}

extension TextRule {
  fileprivate static var snapserver: TextRule {
    TextRule("a host with or without a port, such as \"127.0.0.1:1705\", or \"\"") {
      $0.isEmpty || ServerAddress($0) != nil
    }
  }

  fileprivate static var client: TextRule {
    TextRule("a line of up to 128 bytes, or \"\"") { $0.utf8.count <= 128 && !$0.isUnshowable }
  }
}

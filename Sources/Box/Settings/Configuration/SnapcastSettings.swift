import Units

/// `[snapcast]`: the snapserver and the connection to it.
public struct SnapcastSettings: Equatable, Sendable {
  /// The named pipe that the snapserver reads.
  public var pipe = InstalledPaths.snapcastPipe
  /// The snapserver's `buffer`: delay between its input and the rooms, in milliseconds.
  public var bufferMilliseconds = Defaults.snapcastMilliseconds
  /// The address of the snapserver's JSON-RPC, which reports the rooms; nil for no list of rooms.
  public var server = ServerAddress(Defaults.snapcastServer)
  /// The name or server id of the client on this machine; empty to use the client that reports this machine's name.
  public var client = ""

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

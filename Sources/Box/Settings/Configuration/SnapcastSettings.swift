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
    if let server = table.text("server", .server("127.0.0.1:1705")) { self.server = ServerAddress(server) }
    client = table.text("client", .lineOrNone(most: 128)) ?? client
    table.close()
    if isRoom, server == nil {
      table.complain(at: ["server"], "server must name the snapserver whose room this is, since [audio] output is room")
    }
  }
}

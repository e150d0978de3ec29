import Units

extension Configuration {
  /// Reads `[snapcast]`, after `[audio]`.
  mutating func readSnapcast(_ table: TableReader) {
    snapcast.pipe = table.path("pipe", .path) ?? snapcast.pipe
    snapcast.bufferMilliseconds =
      table.whole("buffer_ms", Limits.snapcastMilliseconds, "ms") ?? snapcast.bufferMilliseconds
    if let server = table.text("server", .snapserver) { snapcast.server = ServerAddress(server) }
    snapcast.client = table.text("client", .client) ?? snapcast.client
    table.close()
    if audio.output == .room, snapcast.server == nil {
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

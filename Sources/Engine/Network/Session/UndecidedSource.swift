import Http

/// A source before its response head: the head decides its kind. Net thread only.
final class UndecidedSource: ProgrammeSource {
  let handler: ConnectionHandler

  /// True for the next file of a programme, which cannot be a station.
  let hasEnd: Bool

  var isLive: Bool { false }

  init(_ handler: ConnectionHandler, followsFile: Bool = false) {
    self.handler = handler
    hasEnd = followsFile
  }

  /// Creates the source for a response.
  static func source(
    for head: HttpHead, of connection: StationConnection, _ handler: ConnectionHandler
  ) -> any ProgrammeSource {
    if handler.context.search.isLive(head) { return LiveSource(handler) }
    // ICY titles shift the byte offsets, so no part could be requested.
    if head.icy.metaint != nil { return FiniteSource(handler) }
    return FileSource(head, of: connection, handler)
  }
}

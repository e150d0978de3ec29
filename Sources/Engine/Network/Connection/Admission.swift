/// Decision about the next bytes of a connection.
enum Admission {
  case accept
  /// Pauses the server; the same bytes are delivered again later. `hasEnough`: true if enough audio is buffered.
  case pause(hasEnough: Bool)
  case end(PlaybackFault)
}

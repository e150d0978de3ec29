/// A fault that keeps the radio from playing.
public enum PanelFault: Equatable, Sendable {
  case noNetwork
  /// The server closed the connection; number of the current or next attempt, and the seconds until then.
  case serverGone(attempt: Int, nextTry: Int?)
  /// The host refuses connections.
  case serverDown(attempt: Int, nextTry: Int?)
  case noAnswer(attempt: Int, nextTry: Int?)
  /// The server responded, then stopped sending.
  case noData(attempt: Int, nextTry: Int?)
  case noNameServer(attempt: Int, nextTry: Int?)
  case proxyFailed(attempt: Int, nextTry: Int?)
  /// The address does not exist: 404, 410, or an unknown host.
  case stationNotFound(nextTry: Int?)
  case passwordNeeded
  case refused(code: Int, nextTry: Int?)
  /// The server is overloaded or failed, with this status code.
  case serverBusy(code: Int, nextTry: Int?)
  /// The playlist contains no playable address.
  case badPlaylist
  /// The response is not a station.
  case badAnswer
  case notAudio
  case webPage
  /// The data is audio of an unsupported kind, such as "HLS".
  case notPlayable(kind: String)
  /// The address in the station list is invalid.
  case badAddress
  case noStations
  case soundCardMissing
  case soundCardBusy
  /// The output pipe has no reader, or its reader has stopped.
  case pipeUnread
  /// The output file or program does not accept audio.
  case outputFailed
  /// The station's certificate is not valid yet, because the clock is not set.
  case waitingForClock
  case badCertificate
  case noSecureConnection
  case fileUnreadable
  /// A file was replaced while it played.
  case fileChanged
  case snapserverGone
  /// The server is not a snapserver, or has too many rooms.
  case snapserverStrange
  case snapclientGone
  case internalFault
}

extension PanelFault {
  /// True for faults that show the symbol of a broken network.
  var isNetwork: Bool {
    switch self {
    case .noNetwork, .serverGone, .serverDown, .noAnswer, .noData, .noNameServer, .proxyFailed, .snapserverGone: true
    default: false
    }
  }
}

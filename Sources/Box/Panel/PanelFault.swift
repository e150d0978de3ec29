/// What keeps the radio from doing what it was told.
public enum PanelFault: Equatable, Sendable {
  /// No link, or no way out.
  case noNetwork
  /// The server closed the connection; which try is on or waited for, and the seconds until then.
  case serverGone(attempt: Int, nextTry: Int?)
  /// The host is there, and takes no connections.
  case serverDown(attempt: Int, nextTry: Int?)
  /// The server does not answer.
  case noAnswer(attempt: Int, nextTry: Int?)
  /// The server answered, and sends nothing more.
  case noData(attempt: Int, nextTry: Int?)
  /// No name server says where the station is.
  case noNameServer(attempt: Int, nextTry: Int?)
  /// The proxy on the way to the station does not work.
  case proxyFailed(attempt: Int, nextTry: Int?)
  /// The address leads nowhere: 404, 410, or a host that does not exist.
  case stationNotFound(nextTry: Int?)
  /// The server wants a name and a password.
  case passwordNeeded
  /// The server said no, with this code.
  case refused(code: Int, nextTry: Int?)
  /// The server cannot serve the station now; with this code.
  case serverBusy(code: Int, nextTry: Int?)
  /// The list of the station's addresses names none that can be played.
  case badPlaylist
  /// What answers is no station.
  case badAnswer
  /// What came is no sound.
  case notAudio
  /// What came is a web page.
  case webPage
  /// What came is a kind of sound that cannot be played yet, such as "HLS".
  case notPlayable(kind: String)
  /// The address in the list of stations is none.
  case badAddress
  /// The list of stations is empty.
  case noStations
  /// The sound card is missing, or went away.
  case soundCardMissing
  /// Another program has the sound card.
  case soundCardBusy
  /// Nobody reads the pipe that sound goes to, or who reads it takes nothing.
  case pipeUnread
  /// The file or the program that sound goes to does not take it.
  case outputFailed
  /// The station's certificate is not valid yet, since the clock is not set.
  case waitingForClock
  /// The station's certificate is not valid.
  case badCertificate
  /// The connection cannot be encrypted.
  case noSecureConnection
  /// A file cannot be read.
  case fileUnreadable
  /// A file is another one than it was when it began.
  case fileChanged
  /// The snapserver whose room this is is not there.
  case snapserverGone
  /// What is there is no snapserver, or one with more rooms than are read.
  case snapserverStrange
  /// The snapclient of this room is not there.
  case snapclientGone
  /// The radio itself failed.
  case internalFault
}

extension PanelFault {
  /// Whether the picture of a broken network belongs to it.
  var isNetwork: Bool {
    switch self {
    case .noNetwork, .serverGone, .serverDown, .noAnswer, .noData, .noNameServer, .proxyFailed, .snapserverGone: true
    default: false
    }
  }
}

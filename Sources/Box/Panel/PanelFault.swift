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
  case stationMoved(nextTry: Int?)
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
  /// The radio itself failed.
  case internalFault
}

/// A fault in a person's words: what is wrong, and what the radio does about it or who can.
struct FaultWords: Equatable {
  /// What is wrong, at most 16 characters.
  var short: String
  /// The same in at most 20.
  var long: String
  /// What the radio does about it, at most 16 characters.
  var doing: String
  /// The same in at most 20.
  var doingLong: String
  /// Whether the picture of a broken network belongs to it.
  var isNetwork = false

  /// Long words are the short ones where there are none.
  private init(_ short: String, long: String? = nil, doing: String, doingLong: String? = nil) {
    self.short = short
    self.long = long ?? short
    self.doing = doing
    self.doingLong = doingLong ?? doing
  }

  init(_ fault: PanelFault) {
    switch fault {
    case .noNetwork:
      self.init("No network", doing: "Waiting for it")
      isNetwork = true
    case .serverGone(let attempt, let nextTry): self.init(attempt: max(1, min(attempt, 9999)), nextTry: nextTry)
    case .serverDown(let attempt, let nextTry):
      self.init("Server is down", long: "Connection refused", attempt, nextTry)
    case .noAnswer(let attempt, let nextTry): self.init("No answer", long: "Server not answering", attempt, nextTry)
    case .noData(let attempt, let nextTry): self.init("No data comes", long: "Server sends no data", attempt, nextTry)
    case .noNameServer(let attempt, let nextTry):
      self.init("No name server", long: "No name server (DNS)", attempt, nextTry)
    case .proxyFailed(let attempt, let nextTry):
      self.init("Proxy failed", long: "Web proxy failed", attempt, nextTry)
    case .passwordNeeded:
      self.init(
        "Needs password", long: "Needs name, password", doing: "Set user in list", doingLong: "Set user in the list")
    case .serverBusy(let code, let nextTry):
      let number = max(0, min(code, 999))
      self.init(
        number == 503 ? "Server is busy" : "Server error",
        long: number == 503 ? "Server is busy (503)" : "Server error (\(number))", doing: Self.again(nextTry))
    case .badPlaylist: self.init("Bad playlist", doing: "Check address", doingLong: "Check the address")
    case .badAnswer:
      self.init("Unknown answer", long: "Unknown answer comes", doing: "Check address", doingLong: "Check the address")
    case .webPage:
      self.init("A web page", long: "A web page, no sound", doing: "Check address", doingLong: "Check the address")
    case .noSecureConnection: self.init("No encryption", long: "No secure connection", doing: "Check address")
    case .fileUnreadable:
      self.init("File unreadable", long: "File cannot be read", doing: "Check the file")
    case .fileChanged: self.init("File changed", long: "The file has changed", doing: "Play it again")
    case .internalFault: self.init("Radio failed", long: "The radio failed", doing: "See its journal")
    case .stationMoved(let nextTry): self.init("Station moved?", doing: Self.again(nextTry))
    case .refused(let code, let nextTry):
      let number = max(0, min(code, 999))
      self.init("Refused (\(number))", long: "Server refuses (\(number))", doing: Self.again(nextTry))
    case .notAudio:
      self.init("No audio stream", long: "Not an audio stream", doing: "Try another", doingLong: "Try another station")
    case .notPlayable(let kind):
      let name = kind.prefix(7)
      self.init(
        "\(name): not yet", long: "\(name) not playable", doing: "Try another", doingLong: "Try another station")
    case .badAddress:
      self.init("Bad address", long: "Bad web address", doing: "Mend the list", doingLong: "Mend station list")
    case .noStations:
      self.init("No stations", long: "No stations yet", doing: "Add one", doingLong: "Add one to the list")
    case .soundCardMissing: self.init("No sound card", doing: "Looking for it")
    case .soundCardBusy: self.init("Sound card busy", doing: "Waiting for it", doingLong: "Waiting for its turn")
    case .pipeUnread:
      self.init(
        "Pipe not read", long: "Nobody reads pipe", doing: "Waiting for it", doingLong: "Waiting for a reader")
    case .outputFailed: self.init("Output failed", long: "Sound output failed", doing: "Trying again")
    case .waitingForClock:
      self.init(
        "Clock is not set", long: "The clock is not set", doing: "Waiting for time", doingLong: "Waiting for the time")
    case .badCertificate:
      self.init("Bad certificate", doing: "Not trusted", doingLong: "It is not trusted")
    }
  }

  /// What the server does, and that it is tried again.
  private init(_ short: String, long: String, _ attempt: Int, _ nextTry: Int?) {
    let attempt = max(1, min(attempt, 9999))
    self.init(
      short, long: long, doing: Self.wait(nextTry).map { "Try \(attempt) in \($0)" } ?? "Try \(attempt) now")
    isNetwork = true
  }

  private init(attempt: Int, nextTry: Int?) {
    let long = "Server gone, try \(attempt)"
    let wait = Self.wait(nextTry)
    self.init(
      "Server gone", long: long.count > 20 ? "Gone, try \(attempt)" : long,
      doing: wait.map { "Try \(attempt) in \($0)" } ?? "Try \(attempt) now",
      doingLong: wait.map { "Next try in \($0)" } ?? "Trying now")
    isNetwork = true
  }

  private static func wait(_ seconds: Int?) -> String? {
    guard let seconds, seconds > 0 else { return nil }
    return seconds < 100 ? "\(seconds) s" : "\(min(99, (seconds - 1) / 60 + 1)) min"
  }

  private static func again(_ seconds: Int?) -> String { wait(seconds).map { "Next try in \($0)" } ?? "Trying again" }
}

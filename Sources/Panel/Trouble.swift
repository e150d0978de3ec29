/// What keeps the radio from doing what it was told.
public enum Trouble: Equatable, Sendable {
  /// No link, or no way out.
  case noNetwork
  /// The station does not answer any more, or not yet; which try is on or waited for, and the seconds until then.
  case serverGone(attempt: Int, nextTry: Int?)
  /// The address leads nowhere: 404, 410, or a host that does not exist.
  case stationMoved(nextTry: Int?)
  /// The server said no, with this code.
  case refused(code: Int, nextTry: Int?)
  /// What came is no sound.
  case notAudio
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
}

/// A trouble in a person's words: what is wrong, and what the radio does about it or who can.
struct TroubleWords: Equatable {
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

  init(_ trouble: Trouble) {
    switch trouble {
    case .noNetwork:
      self.init("No network", doing: "Waiting for it")
      isNetwork = true
    case .serverGone(let attempt, let nextTry): self.init(attempt: max(1, min(attempt, 9999)), nextTry: nextTry)
    case .stationMoved(let nextTry): self.init("Station moved?", doing: Self.again(nextTry))
    case .refused(let code, let nextTry):
      let number = max(0, min(code, 999))
      self.init("Refused (\(number))", long: "Server refuses (\(number))", doing: Self.again(nextTry))
    case .notAudio:
      self.init("No sound in it", long: "No sound comes of it", doing: "Try another", doingLong: "Try another station")
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

import Units

/// The recent results of a preset, and a possible new address (G5). Times are seconds since 1970.
public struct PresetRecord: Equatable, Sendable {
  /// The kind of a preset's failure.
  public enum Cause: String, CaseIterable, Sendable {
    /// The server no longer has the station: status 404 or 410.
    case gone
    /// The server refuses the request: any other status 4xx.
    case refused
    /// The server failed: status 5xx.
    case broken
    /// The host does not exist.
    case noHost
    /// The host does not respond, or sends no data.
    case silent
    /// The response is not a playable station.
    case noStation
    /// Encryption failed, or the certificate is not trusted.
    case insecure

    /// True if only the station's own server can cause this failure. The owner's network or its login page may cause
    /// the other failures.
    public var isAnswer: Bool { [.gone, .refused, .broken].contains(self) }
  }

  /// The failures since the last success.
  struct Failures: Equatable, Sendable {
    var first: Int64
    var last: Int64
    /// Number of counted attempts, 1 to 999.
    var tries = 1
    /// Number of days with failures, in UTC, 1 to 999.
    var days = 1
    var cause: Cause
  }

  /// Another address of the station, for the owner to confirm.
  public struct Question: Equatable, Sendable {
    /// The address.
    public var url: StationAddress
    /// The station's name in the directory.
    public var name: String
    /// The station's id in the directory.
    public var directoryID: String

    /// Creates a question from an entry of the directory.
    public init(url: StationAddress, name: String, directoryID: String) {
      (self.url, self.name, self.directoryID) = (url, name, directoryID)
    }
  }

  /// A hash of the address. The file must not contain the address, which may have a password.
  public let key: UInt64
  /// The station's id in the directory. Stored while the directory's address plays; nil before that.
  public internal(set) var directoryID: String?
  /// The station's homepage in the directory, stored together with `directoryID`.
  public internal(set) var homepage: String?
  /// Time of the last success; nil if the address never played.
  public internal(set) var lastSuccess: Int64?
  var failures: Failures?
  /// True if the preset failed since its last success.
  public var isFailing: Bool { failures != nil }
  /// Time of the last look-up that found no address or led to a question.
  public internal(set) var lookedUp: Int64?
  /// The open question to the owner; nil without a question.
  public internal(set) var question: Question?
  /// The addresses that the owner refused, newest first.
  public internal(set) var refused: [UInt64] = []

  /// Minimum number of attempts before a look-up.
  static let minTries = 3
  /// Minimum time in seconds between two counted attempts after `minTries`, because the radio retries every minute.
  static let tryInterval: Int64 = 3_600
  static let day: Int64 = 86_400
  /// Tolerance in seconds for the comparison of the time between failures with whole days.
  static let grace: Int64 = 21_600
  /// Minimum time between two look-ups, in seconds.
  static let lookUpInterval: Int64 = 72_000
  /// Time in seconds after which the preset of an unanswered question is looked up again.
  static let askInterval: Int64 = 7 * day
  static let maxRefused = 8
  static let maxCount = 999

  init(key: UInt64) { self.key = key }

  /// A hash of an address.
  public static func key(_ url: StationAddress) -> UInt64 { Bookmark.key(url.unredacted) }

  /// True if the preset has at least three failures, and failures on this number of days.
  public func isFailing(forDays days: Int) -> Bool {
    guard let failures else { return false }
    let span = failures.last.subtractingReportingOverflow(failures.first)
    return failures.tries >= Self.minTries && failures.days >= days && !span.overflow
      && span.partialValue >= Int64(min(days, Self.maxCount) - 1) * Self.day - Self.grace
  }

  /// True if a look-up in the directory is due. Conditions: failures on this number of days, no look-up for 20 h, and
  /// fewer than eight refused addresses. An open question delays the look-up to a week. `isAnswered`: true if the box
  /// may answer the question itself, without this delay.
  public func isDue(afterDays days: Int, isAnswered: Bool = false, at now: Int64) -> Bool {
    guard refused.count < Self.maxRefused, isFailing(forDays: days) else { return false }
    let interval = question == nil || isAnswered ? Self.lookUpInterval : Self.askInterval
    // The range also excludes times after `now`. Otherwise a clock that was set back would delay a look-up by years.
    return lookedUp.map { !((now - interval)...now).contains($0) } ?? true
  }

  func hasRefused(_ url: StationAddress) -> Bool { refused.contains(Self.key(url)) }

  mutating func fail(_ cause: Cause, at now: Int64) {
    // If the clock was set back, the old counts are unreliable, so counting restarts.
    guard var failures, failures.last <= now else {
      return self.failures = Failures(first: now, last: now, cause: cause)
    }
    let isOtherDay = now / Self.day != failures.last / Self.day
    guard failures.tries < Self.minTries || now - failures.last >= Self.tryInterval || isOtherDay else { return }
    failures.tries = min(Self.maxCount, failures.tries + 1)
    if isOtherDay { failures.days = min(Self.maxCount, failures.days + 1) }
    (failures.last, failures.cause) = (now, cause)
    self.failures = failures
  }

  mutating func succeed(at now: Int64) {
    (failures, question, lookedUp) = (nil, nil, nil)
    // A new time is stored once per day, to limit the wear of the SD card.
    if lastSuccess.map({ $0 / Self.day != now / Self.day }) ?? true { lastSuccess = now }
  }

  mutating func refuse() {
    guard let question else { return }
    let key = Self.key(question.url)
    refused = Array(([key] + refused.filter { $0 != key }).prefix(Self.maxRefused))
    (self.question, lookedUp) = (nil, nil)
  }
}

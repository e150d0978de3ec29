import Units

/// How a preset came lately, and where it may have moved (G5). Times are seconds since 1970.
public struct PresetRecord: Equatable, Sendable {
  /// Why a preset failed, coarsely.
  public enum Cause: String, CaseIterable, Sendable {
    /// The server has no such station: 404, 410.
    case gone
    /// The server refuses: any other 4xx.
    case refused
    /// The server failed: 5xx.
    case broken
    /// The host does not exist.
    case noHost
    /// The host does not answer, or sends nothing.
    case silent
    /// What comes is no station that can be played.
    case noStation
    /// The connection cannot be encrypted, or the certificate is not trusted.
    case insecure

    /// Whether it takes the station's own server to say so; what else looks the same where the owner's network, or its
    /// login page, is in the way.
    public var isAnswer: Bool { [.gone, .refused, .broken].contains(self) }
  }

  /// The failures since the last success.
  struct Failures: Equatable, Sendable {
    /// The first of them.
    var first: Int64
    /// The last of them.
    var last: Int64
    /// How many were counted: 1 to 999.
    var tries = 1
    /// On how many days, by UTC: 1 to 999.
    var days = 1
    /// The last one's cause.
    var cause: Cause
  }

  /// Another address of its station, of which the owner is asked.
  public struct Question: Equatable, Sendable {
    /// The address.
    public var url: StationAddress
    /// What the directory calls the station.
    public var name: String
    /// The directory's id of it.
    public var directoryID: String

    /// An entry of the directory.
    public init(url: StationAddress, name: String, directoryID: String) {
      (self.url, self.name, self.directoryID) = (url, name, directoryID)
    }
  }

  /// The address, as a number: the file holds no secret.
  public let key: UInt64
  /// The directory's id of the station, since it sounded at the directory's address; nil: never.
  public internal(set) var directoryID: String?
  /// The station's homepage in the directory then.
  public internal(set) var homepage: String?
  /// When it last sounded; nil: not since its address is known.
  public internal(set) var lastSuccess: Int64?
  /// Nil while it comes.
  var failures: Failures?
  /// Whether it failed since it last sounded.
  public var isFailing: Bool { failures != nil }
  /// When the directory was last asked for another address, in vain or with a question as its answer.
  public internal(set) var lookedUp: Int64?
  /// What the owner is asked; nil: nothing.
  public internal(set) var question: Question?
  /// The addresses that the owner refused, the last one first.
  public internal(set) var refused: [UInt64] = []

  /// So many tries at least, however many days are asked for.
  static let leastTries = 3
  /// Once there are so many, those within an hour after the last one do not count: the radio tries again each minute.
  static let tryInterval: Int64 = 3_600
  static let day: Int64 = 86_400
  /// Who listens at eight and then at six has listened on two days.
  static let grace: Int64 = 21_600
  /// A preset is looked up once in so long.
  static let lookInterval: Int64 = 72_000
  /// What nobody answers is looked up again after so long.
  static let askInterval: Int64 = 7 * day
  static let mostRefused = 8
  static let mostCount = 999

  init(key: UInt64) { self.key = key }

  /// An address as a number.
  public static func key(_ url: StationAddress) -> UInt64 { Bookmark.key(url.unredacted) }

  /// Whether it fails for so many days, at least three times.
  public func isFailing(forDays days: Int) -> Bool {
    guard let failures else { return false }
    let span = failures.last.subtractingReportingOverflow(failures.first)
    return failures.tries >= Self.leastTries && failures.days >= days && !span.overflow
      && span.partialValue >= Int64(min(days, Self.mostCount) - 1) * Self.day - Self.grace
  }

  /// Whether the directory is to be asked now: it fails for so many days, was not looked up today, and the owner has
  /// not refused eight addresses. While he is asked about one, a week goes by, unless the box may answer by itself
  /// (`isAnswered`).
  public func isDue(afterDays days: Int, isAnswered: Bool = false, at now: Int64) -> Bool {
    guard refused.count < Self.mostRefused, isFailing(forDays: days) else { return false }
    let interval = question == nil || isAnswered ? Self.lookInterval : Self.askInterval
    // A clock that was set back makes no preset wait for the year that it came from.
    return lookedUp.map { !((now - interval)...now).contains($0) } ?? true
  }

  /// Whether the owner refused an address.
  func hasRefused(_ url: StationAddress) -> Bool { refused.contains(Self.key(url)) }

  mutating func fail(_ cause: Cause, at now: Int64) {
    // A clock that was set back: what was counted may never have been.
    guard var failures, failures.last <= now else {
      return self.failures = Failures(first: now, last: now, cause: cause)
    }
    let isOtherDay = now / Self.day != failures.last / Self.day
    guard failures.tries < Self.leastTries || now - failures.last >= Self.tryInterval || isOtherDay else { return }
    failures.tries = min(Self.mostCount, failures.tries + 1)
    if isOtherDay { failures.days = min(Self.mostCount, failures.days + 1) }
    (failures.last, failures.cause) = (now, cause)
    self.failures = failures
  }

  mutating func succeed(at now: Int64) {
    (failures, question, lookedUp) = (nil, nil, nil)
    // Once a day is enough: a card wears out.
    if lastSuccess.map({ $0 / Self.day != now / Self.day }) ?? true { lastSuccess = now }
  }

  mutating func refuse() {
    guard let question else { return }
    let key = Self.key(question.url)
    refused = Array(([key] + refused.filter { $0 != key }).prefix(Self.mostRefused))
    (self.question, lookedUp) = (nil, nil)
  }
}

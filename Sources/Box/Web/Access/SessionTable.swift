import Units

struct SessionTable {
  struct Session: Equatable {
    /// The value of the browser's cookie, which scripts cannot read.
    let cookie: String
    let token: String
    let began: MonotonicTime
    fileprivate var used: MonotonicTime
  }

  private var sessions: [Session] = []
  /// The cookies of sessions that have ended; the newest is last.
  private(set) var ended: [String] = []

  static let maxSessions = 32
  static let maxEnded = 64
  static let lifetimeSeconds = 30 * 86_400
  private static let lifetime = Duration(seconds: Double(lifetimeSeconds))

  init() {}

  /// Signs a browser in. If there are too many sessions, ends the session unused for the longest time.
  mutating func open(at now: MonotonicTime) -> Session {
    end { now - $0.began >= Self.lifetime }
    if sessions.count >= Self.maxSessions,
      let idle = sessions.indices.min(by: { sessions[$0].used < sessions[$1].used })
    {
      let cookie = sessions[idle].cookie
      end { $0.cookie == cookie }
    }
    let session = Session(cookie: Self.secret(), token: Self.secret(), began: now, used: now)
    sessions.append(session)
    return session
  }

  mutating func find(_ cookie: String?, at now: MonotonicTime) -> Session? {
    guard let cookie, let place = place(of: cookie, at: now) else { return nil }
    sessions[place].used = now
    return sessions[place]
  }

  /// Returns true for a session's cookie; does not count as use of the session.
  func contains(_ cookie: String, at now: MonotonicTime) -> Bool { place(of: cookie, at: now) != nil }

  private func place(of cookie: String, at now: MonotonicTime) -> Int? {
    sessions.firstIndex { Secrets.areEqual($0.cookie, cookie) && now - $0.began < Self.lifetime }
  }

  /// The open sessions.
  var list: [Session] { sessions }

  /// Restores a session that began `age` ago.
  mutating func restore(cookie: String, token: String, age: Duration, at now: MonotonicTime) {
    guard sessions.count < Self.maxSessions else { return }
    sessions.append(Session(cookie: cookie, token: token, began: now - age, used: now))
  }

  /// Remembers the cookie of a session that has ended.
  mutating func remember(_ cookie: String) {
    ended.append(cookie)
    ended.removeFirst(max(0, ended.count - Self.maxEnded))
  }

  /// Returns true for the cookie of a session, also of one that has ended: the device was signed in before.
  func isKnown(_ cookie: String?) -> Bool {
    guard let cookie else { return false }
    return (sessions.map(\.cookie) + ended).contains { Secrets.areEqual($0, cookie) }
  }

  mutating func close(_ session: Session) { end { $0.cookie == session.cookie } }

  mutating func closeAll() { end { _ in true } }

  private mutating func end(_ isOver: (Session) -> Bool) {
    for session in sessions.filter(isOver) { remember(session.cookie) }
    sessions.removeAll(where: isOver)
  }

  /// Returns 32 random bytes from the kernel (getrandom(2)), in hexadecimal.
  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

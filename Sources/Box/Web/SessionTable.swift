import Units

/// Who is signed in.
struct SessionTable {
  /// One who is.
  struct Session: Equatable {
    /// What the browser keeps, and scripts of a page cannot read.
    let cookie: String
    /// What the page adds to each request that changes something.
    let token: String
    fileprivate let began: MonotonicTime
    fileprivate var used: MonotonicTime
  }

  private var sessions: [Session] = []
  /// The cookies of those that ended and were not taken.
  private var gone: [String] = []

  static let most = 32
  /// How long one lasts, in seconds.
  static let lifetimeSeconds = 30 * 86_400
  private static let lifetime = Duration(seconds: Double(lifetimeSeconds))

  init() {}

  /// Signs somebody in; where there are too many, the one goes that was unused for longest.
  mutating func open(at now: MonotonicTime) -> Session {
    remove { now - $0.began >= Self.lifetime }
    if sessions.count >= Self.most, let idle = sessions.indices.min(by: { sessions[$0].used < sessions[$1].used }) {
      gone.append(sessions.remove(at: idle).cookie)
    }
    let session = Session(cookie: Self.secret(), token: Self.secret(), began: now, used: now)
    sessions.append(session)
    return session
  }

  /// The session of a cookie, which counts as used; nil where there is none.
  mutating func find(_ cookie: String?, at now: MonotonicTime) -> Session? {
    guard let cookie, let place = sessions.firstIndex(where: { Secrets.areEqual($0.cookie, cookie) }) else {
      return nil
    }
    guard now - sessions[place].began < Self.lifetime else {
      gone.append(sessions.remove(at: place).cookie)
      return nil
    }
    sessions[place].used = now
    return sessions[place]
  }

  /// Signs somebody out.
  mutating func close(_ session: Session) { remove { $0.cookie == session.cookie } }

  /// The cookies of those that ended since they were taken.
  mutating func takeGone() -> [String] {
    defer { gone = [] }
    return gone
  }

  private mutating func remove(_ isOver: (Session) -> Bool) {
    gone += sessions.filter(isOver).map(\.cookie)
    sessions.removeAll(where: isOver)
  }

  /// 32 bytes by chance, from the kernel (getrandom(2)), in hex.
  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

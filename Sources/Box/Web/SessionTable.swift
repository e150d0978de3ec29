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

  static let most = 32
  /// How long one lasts, in seconds.
  static let lifetimeSeconds = 30 * 86_400
  private static let lifetime = Duration(seconds: Double(lifetimeSeconds))

  init() {}

  /// Signs somebody in; where there are too many, the one goes that was unused for longest.
  mutating func open(at now: MonotonicTime) -> Session {
    sessions.removeAll { now - $0.began >= Self.lifetime }
    if sessions.count >= Self.most, let idle = sessions.indices.min(by: { sessions[$0].used < sessions[$1].used }) {
      sessions.remove(at: idle)
    }
    let session = Session(cookie: Self.secret(), token: Self.secret(), began: now, used: now)
    sessions.append(session)
    return session
  }

  /// The session of a cookie, which counts as used; nil where there is none.
  mutating func find(_ cookie: String?, at now: MonotonicTime) -> Session? {
    guard let cookie, let place = place(of: cookie, at: now) else { return nil }
    sessions[place].used = now
    return sessions[place]
  }

  /// Whether a cookie is that of a session, which does not count as used by that.
  func holds(_ cookie: String, at now: MonotonicTime) -> Bool { place(of: cookie, at: now) != nil }

  private func place(of cookie: String, at now: MonotonicTime) -> Int? {
    sessions.firstIndex { Secrets.areEqual($0.cookie, cookie) && now - $0.began < Self.lifetime }
  }

  /// Signs somebody out.
  mutating func close(_ session: Session) { sessions.removeAll { $0.cookie == session.cookie } }

  /// Signs everybody out.
  mutating func closeAll() { sessions = [] }

  /// 32 bytes by chance, from the kernel (getrandom(2)), in hex.
  private static func secret() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

import Framing
import System
import Units

/// The paths of the panel, with their access rights and responses.
final class WebSite {
  struct Rules {
    var isReadOnly = false
    var isEncrypted = false
    var reportsLogin = false
    /// The folder in which sessions are stored; nil to store none.
    var state: String?
  }

  enum Target {
    case file(PageFile)
    case row(ApiRow, place: String)
  }

  private let files: PageFiles
  private let rules: Rules
  private let clock: Clock
  private let link: RadioLink
  private let mirror: RadioMirror
  private let checker: PasswordChecker
  private var sessions: SessionTable
  private let store: SessionFile?
  /// The hash of the secret that opens the panel, for the file.
  private var passwordHash: PasswordHash?
  private var login = LoginGuard()

  private static let maxHeadLength = 8_192

  init(
    _ files: PageFiles, _ rules: Rules, _ link: RadioLink, _ mirror: RadioMirror, _ checker: PasswordChecker,
    _ clock: Clock
  ) {
    (self.files, self.rules, self.clock) = (files, rules, clock)
    (self.link, self.mirror, self.checker) = (link, mirror, checker)
    store = rules.state.map { SessionFile(folder: $0) }
    sessions = store?.load(checker.secret, wall: Int64(clock.wallSeconds()), at: clock.now()) ?? SessionTable()
  }

  // MARK: Access

  func admit(_ head: WebHead) throws(ApiFault) -> Target {
    guard head.byteCount <= Self.maxHeadLength else { throw .headTooLarge }
    guard let host = head["host"], OwnNames().contains(host, at: head.own) else { throw .wrongHost }
    if head.has("origin") {
      let isOwn = head["origin"].map { OwnNames.isSame(origin: $0, as: host, isEncrypted: rules.isEncrypted) }
      guard isOwn == true else { throw .wrongOrigin }
    }
    if let length = head["content-length"], Int(length).map({ $0 > WebBody.maxLength }) ?? true {
      throw .bodyTooLarge
    }
    let found = ApiTable.rows.compactMap { row in row.place(in: head.path).map { (row: row, place: $0) } }
    guard let method = HttpMethod(head.method), let (row, place) = found.first(where: { $0.row.method == method })
    else { return try file(head, found.map(\.row.method)) }
    // HEAD is refused, because the response cannot have a head without the stream.
    if case .own(.events) = row.work, head.method == "HEAD" { throw .wrongMethod("GET") }
    // The check comes before the body, so that no body of a refused request is stored.
    _ = try session(head, row)
    return .row(row, place: place)
  }

  private func file(_ head: WebHead, _ methods: [HttpMethod]) throws(ApiFault) -> Target {
    guard methods.isEmpty else { throw .wrongMethod(methods.map(\.rawValue).joined(separator: ", ")) }
    guard let file = files.file(at: head.path) else { throw .notFound }
    guard HttpMethod(head.method) == .get else { throw .wrongMethod("GET") }
    return .file(file)
  }

  private func session(_ head: WebHead, _ row: ApiRow) throws(ApiFault) -> SessionTable.Session? {
    if row.method.isWrite, head.has("sec-fetch-site") {
      guard let site = head["sec-fetch-site"], ["same-origin", "none"].contains(site) else { throw .wrongOrigin }
    }
    let session = sessions.find(head.cookie, at: clock.now())
    guard row.access == .session else { return session }
    guard let session else { throw .noSession }
    if row.method.isWrite {
      guard let token = head["x-bakelite-token"], Secrets.areEqual(token, session.token) else { throw .wrongToken }
      if case .radio = row.work, rules.isReadOnly { throw .readOnly }
    }
    return session
  }

  /// Ends the streams of signed-out browsers. If the owner has set another password, ends all sessions.
  func sweep(at now: MonotonicTime) {
    if checker.isReplaced() {
      sessions.closeAll()
      passwordHash = nil
      saveSessions()
    }
    mirror.sweep { sessions.contains($0, at: now) }
  }

  private func saveSessions() {
    guard let store else { return }
    passwordHash = passwordHash ?? PasswordHash(of: checker.secret)
    guard let passwordHash else { return }
    _ = store.save(sessions, passwordHash, wall: Int64(clock.wallSeconds()), at: clock.now())
  }

  // MARK: Responses

  /// Responds to a complete request, now or later.
  func answer(_ call: WebCall, _ target: Target) {
    switch target {
    case .file(let file): call.answer(WebReply(file, for: call.head))
    case .row(let row, let place):
      do throws(ApiFault) {
        // A repeated check: the browser may have signed out while the body arrived.
        let session = try session(call.head, row)
        let given = try arguments(call, row, place)
        switch row.work {
        case .own(let own): try answer(call, own, given, session)
        case .radio(let commands, let shape): try ask(call, commands(given, context), shape)
        }
      } catch {
        call.answer(error)
      }
    }
  }

  private var context: ApiRow.Context {
    ApiRow.Context(isStopped: (mirror.status?["state"] ?? "stopped") == "stopped")
  }

  private func arguments(_ call: WebCall, _ row: ApiRow, _ place: String) throws(ApiFault) -> ApiArguments {
    var given = ApiArguments(place: place)
    guard let query = call.head.query else { throw .argument("The query after \"?\" cannot be read.") }
    try given.read(query: query, row.query)
    if !call.body.bytes.isEmpty {
      let type = call.head["content-type"].map { $0.prefix { $0 != ";" }.lowercased() }
      guard type == "application/json" else { throw .notJson }
    }
    try given.read(body: call.body.bytes, row.body, allowsAny: row.allowsAny)
    return given
  }

  private func ask(_ call: WebCall, _ commands: [RadioCommand], _ shape: AnswerShape) throws(ApiFault) {
    try ask(call, commands) { answer in
      switch answer {
      case .success(let parts): call.answer(WebReply(shape.json(parts.flatMap { $0 })))
      case .refused(50, let sentence) where shape == .found || shape == .listed:
        call.answer(ApiFault(409, "noDirectory", sentence))
      default: call.answer(ApiFault(answer))
      }
    }
  }

  private func ask(
    _ call: WebCall, _ commands: [RadioCommand], _ done: @escaping (RadioAnswer) -> Void
  ) throws(ApiFault) {
    guard commands.allSatisfy({ $0.line.utf8.count <= RadioCommand.maxLineLength }) else {
      throw .argument("The request is longer than the radio accepts.")
    }
    link.ask(commands, at: clock.now(), done)
  }

  private func answer(
    _ call: WebCall, _ own: ApiRow.Own, _ given: ApiArguments, _ session: SessionTable.Session?
  ) throws(ApiFault) {
    switch own {
    case .session: call.answer(WebReply(describe(session)))
    case .login: try signIn(call, given.word("password") ?? "")
    case .logout: signOut(call, session)
    case .document:
      guard let file = files.file(at: "/openapi.json") else { throw .notFound }
      call.answer(WebReply(file, for: call.head))
    case .events:
      guard let stream = mirror.open(cookie: session?.cookie ?? "") else { throw .tooManyPages }
      call.answer(WebReply(stream))
    case .status, .health, .metrics: answerStatus(call, own, isOwner: session != nil)
    case .recording: try sendRecording(call, named: given.place)
    }
  }

  /// Sends a file that the radio opens.
  private func sendRecording(_ call: WebCall, named name: String) throws(ApiFault) {
    try ask(call, [RadioCommand("radio_recording_open", name)]) { [link] answer in
      switch answer {
      case .success:
        guard let file = link.removePassed() else { return call.answer(ApiFault.silent) }
        call.answer(WebReply(file, named: name, for: call.head))
      case .refused(50, let sentence): call.answer(ApiFault(404, "notFound", sentence))
      default: call.answer(ApiFault(answer))
      }
    }
  }

  private func answerStatus(_ call: WebCall, _ own: ApiRow.Own, isOwner: Bool) {
    mirror.refresh(mayBeOld: own != .status) { [unowned self] in
      let (now, status, health) = (clock.now(), mirror.status, mirror.health)
      let isHealthy = health.reason(at: now) == nil
      switch own {
      case .health: call.answer(WebReply(health.json(at: now, isOwner: isOwner), status: isHealthy ? 200 : 503))
      case .metrics:
        let metrics = MetricsText(status, state: health.condition.state, isHealthy: isHealthy, pages: mirror.pageCount)
        call.answer(WebReply(text: metrics.text, type: "text/plain; version=0.0.4; charset=utf-8"))
      default: call.answer(status.map { WebReply($0.json) } ?? WebReply(ApiFault.noRadio))
      }
    }
  }

  private func describe(_ session: SessionTable.Session?) -> JsonLine {
    [
      "signed_in": session != nil, "token": session?.token, "read_only": rules.isReadOnly,
      "password": checker.isOwners, "version": Version.text, "radio": link.isHere,
    ]
  }

  // MARK: Sign-in

  private func signIn(_ call: WebCall, _ password: String) throws(ApiFault) {
    let device = sessions.isKnown(call.head.cookie) ? call.head.cookie : nil
    let caller = LoginGuard.Caller(network: call.head.network, device: device)
    if let seconds = login.wait(caller, at: clock.now()) { throw .tooManyFailures(seconds) }
    let isBegun = checker.begin(password) { [unowned self] isRight, hash in
      let now = clock.now()
      // The owner may have set another password during the check; only the new password is valid.
      sweep(at: now)
      guard isRight, hash == checker.known else {
        login.fail(caller, at: now)
        return call.answer(ApiFault.wrongPassword)
      }
      let session = sessions.open(at: now)
      saveSessions()
      if rules.reportsLogin || checker.hasRadioCode { link.ask([RadioCommand("radio_web", "login")], at: now) { _ in } }
      var reply = WebReply(describe(session))
      reply.headers.append(cookie(session.cookie, seconds: SessionTable.lifetimeSeconds))
      call.answer(reply)
    }
    if !isBegun { throw .busy }
  }

  private func signOut(_ call: WebCall, _ session: SessionTable.Session?) {
    if let session {
      sessions.close(session)
      saveSessions()
    }
    sweep(at: clock.now())
    var reply = WebReply(describe(nil))
    reply.headers.append(cookie("", seconds: 0))
    call.answer(reply)
  }

  private func cookie(_ value: String, seconds: Int) -> (name: String, value: String) {
    let secure = rules.isEncrypted ? "; Secure" : ""
    return ("Set-Cookie", "bakelite=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)\(secure)")
  }
}

import System
import TestSupport

/// The requests before a case's data: redirects with cookies, sessions, and addresses that expire at the stall's end.
final class StallAccess: Sendable {
  private let kind: StallCase.Access
  private let isSegmented: Bool
  private let flows: Gate
  private let state = Locked(State())

  private struct State {
    var count = 0
    /// Tokens issued before the end of the stall expire with it.
    var expired = 0
    var hasFlowed = false
  }

  init(_ plan: StallPlan, _ flows: Gate) {
    kind = plan.item.access
    isSegmented = plan.isSegmented
    self.flows = flows
  }

  /// Returns the path that a listener tunes to.
  func start(_ path: String) -> String { kind == .session && isSegmented ? "/master.m3u8" : path }

  /// Returns the response to a request without access, and nil if the data may follow.
  func refusal(_ visit: ScriptedStation.Request) -> [StationAction]? {
    let answer: [StationAction]?
    switch kind {
    case .open: return nil
    case .cookie:
      let hasCookie = visit.header("Cookie")?.contains("stall=1") == true
      answer = hasCookie ? nil : welcome(visit)
    case .session where isSegmented: answer = session(visit)
    case .session, .expiring: answer = expiring(visit)
    }
    guard let answer, isSegmented else { return answer }
    return StationAction.keepingConnection(answer)
  }

  /// Returns the request as the server without access control expects it.
  static func plain(_ visit: ScriptedStation.Request) -> ScriptedStation.Request {
    var plain = visit
    let path = String(visit.path.prefix { $0 != "?" })
    plain.head = visit.head.replacing(" \(visit.path) ", with: " \(path) ", maxReplacements: 1)
    return plain
  }

  /// Sets the cookie by a redirect; other requests without the cookie are refused.
  private func welcome(_ visit: ScriptedStation.Request) -> [StationAction] {
    guard !visit.path.hasPrefix("/s/") else { return StationAction.response("403 Forbidden") }
    return StationAction.response(
      "302 Found", headers: ["Location: \(visit.path)", "Set-Cookie: stall=1; path=/; HttpOnly"])
  }

  /// The master playlist issues sessions. A list of an ended session is gone; its segments stay.
  private func session(_ visit: ScriptedStation.Request) -> [StationAction]? {
    if visit.path.hasPrefix("/master") {
      let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS=\"mp4a.40.34\"\n/list.m3u8?token=\(issue())\n"
      return StationAction.response("200 OK", text, type: "application/vnd.apple.mpegurl")
    }
    guard !visit.path.hasPrefix("/s/") else { return nil }
    return isValid(visit) ? nil : StationAction.response("410 Gone")
  }

  /// Redirects to an address with a token. An expired token is refused.
  private func expiring(_ visit: ScriptedStation.Request) -> [StationAction]? {
    guard !visit.path.hasPrefix("/s/") else { return nil }
    guard visit.path.contains("?token=") else {
      return StationAction.redirect("\(visit.path)?token=\(issue())")
    }
    return isValid(visit) ? nil : StationAction.response("403 Forbidden")
  }

  private func issue() -> Int {
    state.withLock { state in
      expire(&state)
      state.count += 1
      return state.count
    }
  }

  private func isValid(_ visit: ScriptedStation.Request) -> Bool {
    let token = visit.path.split(separator: "?token=").dropFirst().first.flatMap { Int($0) } ?? 0
    return state.withLock { state in
      expire(&state)
      return token > state.expired
    }
  }

  private func expire(_ state: inout State) {
    guard flows.isOpen, !state.hasFlowed else { return }
    state.hasFlowed = true
    state.expired = state.count
  }
}

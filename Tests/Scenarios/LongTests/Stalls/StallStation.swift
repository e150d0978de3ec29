import System
import TestSupport

/// A station or file server whose data stalls once, on all connections.
final class StallStation: Sendable {
  let stalled = Gate()
  let flows = Gate()

  private let plan: StallPlan
  private let files: [[UInt8]]
  private let feed: String
  private let moments = Locked(Moments())
  private let station: ScriptedStation
  let packager: StallPackager
  private let access: StallAccess

  private struct Moments {
    /// Times of the first audio connection and the first one after a restart.
    var first: Double?
    var restart: Double?
  }

  init(_ plan: StallPlan) throws {
    self.plan = plan
    let kilobits = plan.item.kilobits
    files = plan.files.enumerated().map {
      StallMaterial.head(kilobits)
        + StallMaterial.part($0 == 0 ? .usual : .other, kilobits, seconds: $1)
    }
    packager = StallPackager(plan, files.first ?? [], stalled, flows)
    access = StallAccess(plan, flows)
    feed = """
      <?xml version="1.0"?><rss version="2.0"><channel><title>Talk</title><item><title>One</title><guid>1</guid>
      <enclosure url="/0.mp3" length="\(files.first?.count ?? 0)" type="audio/mpeg"/></item></channel></rss>
      """
    let script = Locked<StallStation?>(nil)
    station = try ScriptedStation(
      tail: { visit in script.withLock { $0 }?.tail(visit) ?? [] },
      { visit in script.withLock { $0 }?.acts(visit) ?? [] })
    scriptTarget = script
    script.withLock { $0 = self }
  }

  /// Refers the server's threads to this station until `close`.
  private let scriptTarget: Locked<StallStation?>

  func flow(at now: Double) {
    packager.flow(at: now)
    flows.open()
  }

  func close() {
    station.close()
    scriptTarget.withLock { $0 = nil }
  }

  var url: String {
    switch plan.item.source {
    case .live: station.url(access.start("/live"))
    case .file: station.url("/0.mp3")
    case .episode: station.url("/feed.xml")
    case .list: station.url("/list.m3u")
    case .segments, .finished: station.url(access.start("/list.m3u8"))
    }
  }

  var whole: Double { plan.files.reduce(0) { $0 + StallMaterial.whole($1, plan.item.kilobits) } }

  var visits: [Double] { station.visits.map(\.time) }

  var firstAudio: Double? {
    plan.isSegmented ? packager.firstAudio : moments.withLock { $0.first }
  }

  /// Time of the first audio connection after a restart; nil before that. The server may have accepted the connection
  /// just before the data flowed.
  var restartVisit: Double? {
    plan.isSegmented ? packager.restartVisit : moments.withLock { $0.restart }
  }

  /// Maximum lateness of a server thread, in seconds.
  var lateness: Double { station.maxThreadDelay }

  var connectionCount: Int { station.connectionCount }

  private var byteRate: Double { plan.gathering.byteRate }

  private func acts(_ visit: ScriptedStation.Request) -> [StationAction] {
    if let refusal = access.refusal(visit) { return refusal }
    let visit = StallAccess.plain(visit)
    if plan.isSegmented { return packager.acts(visit) }
    switch visit.path {
    case "/live": return firstAudio == nil ? first(visit) : later(visit)
    case "/feed.xml": return StationAction.response("200 OK", feed, type: "application/rss+xml")
    case "/list.m3u": return StationAction.response("200 OK", "#EXTM3U\n/0.mp3\n/1.mp3\n", type: "audio/x-mpegurl")
    default:
      guard let number = Int(visit.path.dropFirst().prefix(1)), files.indices.contains(number) else {
        return StationAction.response("404 Not Found")
      }
      return file(number, visit)
    }
  }

  // MARK: Live

  private func part(_ kind: StallMaterial.Kind, from start: Double = 0, _ seconds: Double) -> [UInt8] {
    StallMaterial.part(kind, plan.item.kilobits, from: start, seconds: seconds)
  }

  private var head: [UInt8] { StallMaterial.head(plan.item.kilobits) }

  private func pace(_ bytes: [UInt8], _ line: Double, burst: Double = 0) -> StationAction {
    .pace(bytes, perSecond: line * byteRate, burst: Int(burst * byteRate))
  }

  private var usual: StallMaterial.Kind { plan.item.restart == .loop ? .loop : .usual }

  private func recordVisit(_ visit: ScriptedStation.Request) { moments.withLock { $0.first = $0.first ?? visit.time } }

  private func first(_ visit: ScriptedStation.Request) -> [StationAction] {
    recordVisit(visit)
    let (item, pace) = (plan.item, plan.pace)
    let begin = [
      .live(), self.pace(head + part(usual, plan.before), pace, burst: min(StallPlan.burst, plan.before)),
      .open(stalled),
    ]
    guard item.restart == .none else { return begin + (item.moment == .end ? [.gate(flows), .reset] : [.reset]) }
    if item.moment == .end { return begin + [.gate(flows), self.pace(part(usual, from: plan.before, 0.5), pace)] }
    return begin + [
      .gate(flows), self.pace(part(usual, from: plan.before, plan.backlog), item.line),
      self.pace(part(usual, from: plan.before + plan.backlog, Self.rest), pace),
    ]
  }

  /// Seconds of audio on each connection after the stall.
  private static let rest = 60.0

  /// A later connection: blocked while the line is dead, reset while the station is away.
  private func later(_ visit: ScriptedStation.Request) -> [StationAction] {
    let item = plan.item
    guard item.restart != .none else {
      let waits = stalled.isOpen && !flows.isOpen
      let first = moments.withLock { $0.first } ?? visit.time
      // A blocked connection gets its response after the stall; half of the stall is a sufficient estimate.
      let age = (waits ? visit.time + item.stall / 2 : visit.time) - first
      return (waits ? [.gate(flows)] : [])
        + [.live(), pace(head + part(.usual, from: max(0, age), Self.rest), plan.pace, burst: StallPlan.burst)]
    }
    guard flows.isOpen else { return item.moment == .end ? [.gate(flows), .reset] : [.reset] }
    let began = moments.withLock { moments in
      moments.restart = moments.restart ?? visit.time
      return moments.restart ?? visit.time
    }
    let kind: StallMaterial.Kind = item.restart == .new ? .other : usual
    return [
      .live(), pace(head + part(kind, from: max(0, visit.time - began), Self.rest), plan.pace, burst: StallPlan.burst),
    ]
  }

  // MARK: Files

  private func tail(_ visit: ScriptedStation.Request) -> [StationAction] {
    if let refusal = access.refusal(visit) { return refusal }
    guard let number = Int(visit.path.dropFirst().prefix(1)), files.indices.contains(number) else {
      return StationAction.response("416 Range Not Satisfiable")
    }
    return FileServer(files[number]).actions(for: visit)
  }

  private func file(_ number: Int, _ visit: ScriptedStation.Request) -> [StationAction] {
    recordVisit(visit)
    let bytes = files[number]
    let start = visit.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
    guard start < bytes.count else { return StationAction.response("416 Range Not Satisfiable") }
    let type = "Content-Type: audio/mpeg"
    let length = "Content-Length: \(bytes.count - start)"
    let place = "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
    let head: StationAction =
      visit.header("Range") == nil
      ? .head("200 OK", [type, length, "Accept-Ranges: bytes", "ETag: \"\(number)\""])
      : .head("206 Partial Content", [type, length, place, "ETag: \"\(number)\""])
    let line = plan.item.line
    let isFirst = number == plan.stalledFile && !stalled.isOpen
    if isFirst, plan.stallsAnswer {
      return [.open(stalled), .gate(flows), head, pace(Array(bytes[start...]), line)]
    }
    let border = self.head.count + part(.usual, plan.before).count
    if isFirst, start <= border, border < bytes.count {
      return [
        head, pace(Array(bytes[start..<border]), line), .open(stalled), .gate(flows),
        pace(Array(bytes[border...]), line),
      ]
    }
    let waits = stalled.isOpen && !flows.isOpen
    return (waits ? [.gate(flows)] : []) + [head, pace(Array(bytes[start...]), line)]
  }
}

import System
import TestSupport

/// Packager for a stalled HLS station: cuts the programme into segments and lists them.
final class StallPackager: Sendable {
  /// Duration of a segment in seconds; a whole number of frames.
  static let length = 2.016
  /// Segments complete at the first request; the listener starts `distance` segments before the end.
  static let aired = 5
  static let distance = 3
  /// The first media sequence number; 0 after a restart.
  private static let first = 100
  /// Seconds of the next segment at the first request.
  private static let phase = 1.0

  private let plan: StallPlan
  private let (stalled, flows): (Gate, Gate)
  /// The complete programme; empty if live.
  private let file: [UInt8]
  private let state = Locked(State())

  private struct State {
    /// Times of the first playlist and segment requests.
    var begun: Double?
    var audio: Double?
    /// Times of the packager's stop and the end of the stall.
    var stood: Double?
    var flowed: Double?
    /// Time of the first playlist request after a restart.
    var restart: Double?
    var last: Int?
    var sent: [Sent] = []
  }

  private struct Sent {
    var number: Int
    var seconds: Double
    var isWhole: Gate
  }

  /// Data stalls from `stalled` to `flows`. `file`: content of a complete playlist.
  init(_ plan: StallPlan, _ file: [UInt8], _ stalled: Gate, _ flows: Gate) {
    (self.plan, self.file, self.stalled, self.flows) = (plan, file, stalled, flows)
  }

  func flow(at now: Double) { state.withLock { $0.flowed = now } }

  func end() {
    let now = monotonicSeconds()
    state.withLock { $0.last = count($0, at: now) }
  }

  var restartVisit: Double? { state.withLock { $0.restart } }

  // MARK: Time

  private var item: StallCase { plan.item }
  private var isAway: Bool { stalled.isOpen && !flows.isOpen }
  private var hasRestarted: Bool { plan.restarts && flows.isOpen }

  private func count(_ state: State, at now: Double) -> Int {
    if let last = state.last { return last }
    if let flowed = state.flowed, plan.restarts { return 1 + Int((now - flowed) / Self.length) }
    // The packager adds no segments while stopped.
    let pause = item.restart == .none ? 0 : state.stood.map { (state.flowed ?? now) - $0 } ?? 0
    let age = now - (state.begun ?? now) - pause
    return Self.aired + Int((age + Self.phase) / Self.length)
  }

  // MARK: Requests

  func acts(_ visit: ScriptedStation.Request) -> [StationAction] {
    guard let number = Int(visit.path.dropFirst(3).prefix { $0 != "." }) else {
      return list(visit) + [.again]
    }
    return segment(number) + [.again]
  }

  private func list(_ visit: ScriptedStation.Request) -> [StationAction] {
    let now = monotonicSeconds()
    if !plan.isLive { return listed() }
    let begun = state.withLock { state in
      let begun = state.begun ?? now
      state.begun = begun
      if flows.isOpen { state.restart = state.restart ?? now }
      return begun
    }
    let stalls = plan.stallsList && !stalled.isOpen && now >= begun + plan.untilList
    if stalls {
      state.withLock { $0.stood = now }
      stalled.open()
    }
    switch item.restart {
    case .none:
      guard stalls else { return (isAway ? [.gate(flows)] : []) + [.then { [self] in listed() }] }
      return listed(broken: true)
    case .pause where item.moment == .end && isAway:
      return StationAction.keepingConnection(StationAction.response("503 Service Unavailable")).dropLast()
    case .new, .same, .loop:
      // While the packager is away between segments, its files stay available.
      if isAway, item.moment != .end { return [.reset] }
    case .pause: break
    }
    return [.then { [self] in listed() }]
  }

  /// The current playlist. `broken`: the response stalls in its middle.
  private func listed(broken: Bool = false) -> [StationAction] {
    let text = text(at: monotonicSeconds())
    let half = text.utf8.count / 2
    let head = StationAction.text(
      "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\nContent-Length: \(text.utf8.count)\r\n\r\n")
    guard broken else { return [head, .text(text)] }
    return [head, .text(String(text.prefix(half))), .gate(flows), .text(String(text.dropFirst(half)))]
  }

  private func text(at now: Double) -> String {
    var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n"
    guard plan.isLive else {
      let lines = (0..<fileCount).map { number in
        "#EXTINF:\(StallMaterial.seconds(filePart(number).count, item.kilobits)),\n/s/\(number).mp3\n"
      }
      return text + lines.joined() + "#EXT-X-ENDLIST\n"
    }
    let (count, isOver) = state.withLock { (self.count($0, at: now), $0.last != nil) }
    let first = hasRestarted ? 0 : Self.first
    // A long window, so that no segment expires.
    let begin = max(0, count - 60)
    text += "#EXT-X-MEDIA-SEQUENCE:\(first + begin)\n"
    for number in begin..<count { text += "#EXTINF:\(Self.length),\n/s/\(first + number).mp3\n" }
    return text + (isOver ? "#EXT-X-ENDLIST\n" : "")
  }

  // MARK: Segments

  private var fileCount: Int { (file.count + partSize - 1) / partSize }
  private var partSize: Int { StallMaterial.part(.usual, item.kilobits, seconds: Self.length).count }

  private func filePart(_ number: Int) -> [UInt8] {
    Array(file.dropFirst(number * partSize).prefix(partSize))
  }

  private func bytes(_ number: Int) -> [UInt8]? {
    if !plan.isLive { return (0..<fileCount).contains(number) ? filePart(number) : nil }
    let now = monotonicSeconds()
    let count = state.withLock { self.count($0, at: now) }
    let place = number - (hasRestarted ? 0 : Self.first)
    guard (0..<count).contains(place) else { return nil }
    // The same content starts where the first listener started.
    let kind: StallMaterial.Kind = hasRestarted && item.restart == .new ? .other : .usual
    let start = hasRestarted && item.restart == .same ? place + Self.aired - Self.distance : place
    return StallMaterial.part(kind, item.kilobits, from: Double(start) * Self.length, seconds: Self.length)
  }

  private func segment(_ number: Int) -> [StationAction] {
    if isAway, plan.restarts, item.moment != .end { return [.reset] }
    let waits: [StationAction] = isAway && item.restart == .none ? [.gate(flows)] : []
    return waits + [.then { [self] in sound(number) }]
  }

  /// A segment at the line's pace; the stalled segment stops at the stall's position.
  private func sound(_ number: Int) -> [StationAction] {
    guard let bytes = bytes(number) else { return [.text("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")] }
    let head = StationAction.text(
      "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: \(bytes.count)\r\n\r\n")
    let begin = plan.isLive ? Self.first + Self.aired - Self.distance : 0
    let border = StallMaterial.part(.usual, item.kilobits, seconds: plan.before).count - (number - begin) * partSize
    let stalls = !plan.stallsList && !stalled.isOpen && !plan.stallsPackager && (0..<bytes.count).contains(border)
    let part = stalls && plan.restarts ? Array(bytes.prefix(border)) : bytes
    let sent = Sent(number: number, seconds: StallMaterial.seconds(part.count, item.kilobits), isWhole: Gate())
    let now = monotonicSeconds()
    state.withLock { state in
      state.audio = state.audio ?? now
      state.sent.append(sent)
    }
    func pace(_ bytes: [UInt8]) -> StationAction {
      .pace(bytes, perSecond: item.line * plan.gathering.byteRate, burst: 0)
    }
    guard stalls else { return [head, pace(bytes), .open(sent.isWhole)] }
    let front = [head, pace(Array(bytes.prefix(border))), .open(stalled)]
    if plan.restarts { return front + [.reset] }
    return front + [.gate(flows), pace(Array(bytes.dropFirst(border))), .open(sent.isWhole)]
  }

  // MARK: Audible audio

  var firstAudio: Double? { state.withLock { $0.audio } }

  /// Seconds that must be audible in the end: all complete segments, and at most the partial segments.
  var audible: ClosedRange<Double> {
    let sent = state.withLock { $0.sent }
    var (least, most): ([Int: Double], [Int: Double]) = ([:], [:])
    for part in sent {
      most[part.number] = max(most[part.number] ?? 0, part.seconds)
      if part.isWhole.isOpen { least[part.number] = part.seconds }
    }
    let total = least.values.reduce(0, +)
    return total...max(total, most.values.reduce(0, +))
  }

  /// Segments after the first requested one that were never requested.
  var missed: [Int] {
    let now = monotonicSeconds()
    let (asked, aired) = state.withLock { (Set($0.sent.map(\.number)), self.count($0, at: now)) }
    let begin = plan.isLive && !hasRestarted ? Self.first : 0
    let all = begin..<begin + (plan.isLive ? aired : fileCount)
    guard let first = asked.filter({ all.contains($0) }).min() else { return Array(all) }
    return all.filter { $0 > first && !asked.contains($0) }
  }
}

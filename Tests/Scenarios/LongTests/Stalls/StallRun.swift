import AudioOutput
import Network
import RadioEngine
import RadioSupport
import TestSupport
import Units

struct StallResult: Sendable {
  let item: StallCase
  var faults: [String] = []
  /// True if the machine was late, so that the faults prove nothing.
  var isLate = false
  /// Duration on the radio's clock.
  var seconds = 0.0
  var story: [String] = []

  var line: String { "\(item): \(faults.joined(separator: "; "))" }
}

/// Runs one case on the calling thread, and checks the radio after each step.
final class StallRun {
  private let plan: StallPlan
  private let station: StallStation
  private let radio: Radio
  private let punctuality = Punctuality()
  private let delay = ThreadDelay()
  private let began = monotonicSeconds()
  private var result: StallResult
  private var ear: SilenceDetector
  /// Times of the stall, of its end, and of the first connection after it.
  private var stalledAt: Double?
  private var flowsAt: Double?
  private var newVisit: Double?
  private var written = 0.0
  private var lastGrowth: Double
  /// The current silence beyond its limit.
  private var overdue: (since: Double, words: String)?
  private var overdueAt = 0.0
  /// Start of the silence already judged.
  private var judged = -1.0
  private var nextStory = 0.0

  init(_ item: StallCase) throws {
    plan = StallPlan(item)
    result = StallResult(item: item)
    ear = SilenceDetector(at: began)
    lastGrowth = began
    station = try StallStation(plan)
    var settings = RadioSettings()
    settings.blockCount = item.blocks
    settings.startPolicy = item.isFixed ? .fixed : .adaptive
    if let wait = item.wait {
      (settings.waitLive, settings.waitFile) = (StreamTime(seconds: wait), .init(seconds: wait))
    }
    radio = try Radio(settings, OutputRequest(.null), clock: TestClock.current.clock)
    radio.onEvent = { [unowned self] event, _ in
      record("\(event)")
      process(event)
    }
    EventTrace.record(radio, as: "LongTests.StallTests \(item)")
  }

  func run() -> StallResult {
    radio.tune(StationRequest(url: station.url))
    while true {
      radio.step(Duration(milliseconds: 50))
      delay.update()
      let now = monotonicSeconds()
      let status = radio.status
      attendStall(now)
      updateSilence(status, now)
      judge(status, now)
      if isOver(status, now) { break }
    }
    finish()
    return result
  }

  private func record(_ words: String) {
    let time = monotonicSeconds() - began
    result.story.append("\(String(format: "%7.2f", time)) \(words)")
  }

  private func process(_ event: Event) {
    switch event {
    case .reconnecting: isReconnected = stalledAt != nil
    case .stitched(_, let lost, let isExact, _) where plan.isSegmented && !plan.restarts && (lost > 0 || !isExact):
      result.faults.append("told to have lost \(lost) s, though all is there\(isExact ? "" : ", inexactly")")
    default: break
    }
  }

  /// True if the radio reconnected after the start of the stall.
  private var isReconnected = false

  private func attendStall(_ now: Double) {
    if stalledAt == nil, station.stalled.isOpen {
      stalledAt = now
      record("the data stands still")
    }
    if let stalledAt, flowsAt == nil, now >= stalledAt + plan.item.stall {
      flowsAt = now
      // A connection must exist that receives the data.
      needsVisit = plan.restarts || !plan.isSegmented && station.connectionCount == 0
      station.flow(at: now)
      record("the data flows")
    }
    guard let flowsAt, newVisit == nil, needsVisit || endsConnection else { return }
    newVisit = plan.restarts ? station.restartVisit.map { max($0, flowsAt) } : station.visits.first { $0 > flowsAt }
    if newVisit != nil { record("a new connection") }
  }

  private var needsVisit = false
  private var endsConnection: Bool { plan.item.source == .live && plan.item.moment == .end }
  /// True if a missing reconnect is already reported.
  private var isAlone = false

  private func updateSilence(_ status: RadioStatus, _ now: Double) {
    let wasSilent = ear.isSilent(at: now)
    ear.update(status.heard, at: now)
    if wasSilent, !ear.isSilent(at: now) {
      record("sound")
      if let overdue {
        let length = String(format: "%.1f", now - overdue.since)
        result.faults.append("\(overdue.words), silent for \(length) s")
        self.overdue = nil
      }
    }
    if status.blocks.written.seconds != written {
      written = status.blocks.written.seconds
      lastGrowth = now
    }
    if now >= nextStory {
      nextStory = now + (ear.isSilent(at: now) ? 0.2 : 1)
      let figures = String(
        format: "heard %.2f, held %.2f, written %.2f, %d blocks", ear.heard, status.held, written,
        status.blocks.usedCount)
      record("\(status.state): \(figures)")
    }
  }

  // MARK: The judge

  /// Start of the current data flow; nil during the stall.
  private var flow: Double? {
    guard stalledAt != nil else { return station.firstAudio }
    guard let flowsAt else { return nil }
    return needsVisit ? newVisit : max(flowsAt, newVisit ?? flowsAt)
  }

  private func judge(_ status: RadioStatus, _ now: Double) {
    if let flowsAt, needsVisit, newVisit == nil, now > flowsAt + Self.maxRetryDelay, !isAlone {
      isAlone = true
      result.faults.append("not tried again for \(Int(Self.maxRetryDelay)) s after the station was back")
    }
    let since = ear.lastSound
    guard ear.isSilent(at: now), overdue == nil, judged != since, !isHeardWhole else { return }
    let at = String(format: "%.1f", since - began)
    if let flow, !isTriedInVain(status), now > due(since, flow) {
      judged = since
      let most = String(format: "%.1f", due(since, flow) - max(since, flow))
      overdue = (since, "silent from \(at) s on, though data came: \(most) s are allowed")
    } else if flow == nil || isTriedInVain(status), status.held > Self.maxUnplayed,
      now > max(since, lastGrowth) + Self.maxBufferedSilence
    {
      judged = since
      overdue = (since, "silent from \(at) s on with \(String(format: "%.1f", status.held)) s held")
    }
    if overdue != nil {
      overdueAt = now
      record("overdue")
    }
  }

  /// The latest end of a silence, given its start and the start of the data flow.
  private func due(_ since: Double, _ flow: Double) -> Double {
    // An underrun just before a reconnect may count as an underrun on the new connection.
    let isReconnected = plan.isSegmented ? isReconnected : newVisit != nil
    let isNew = plan.isLive && isReconnected && since < flow - 0.5
    var gather = plan.gather(hasSounded: ear.hasSounded, isNewConnection: isNew)
    if !plan.isLive { gather = min(gather, max(0, station.whole - ear.heard)) }
    let wait = plan.seconds(toGather: gather, isAfterStall: flowsAt != nil, isCaughtUp: since > flow)
    // Repeated audio of a segment is not played again.
    let repair = plan.isSegmented && isReconnected ? Self.retry + plan.repeatedSeconds / plan.pace : 0
    return max(since, flow + repair) + wait + Self.slack
  }

  /// One second in R2.2's table, and the delay of status figures.
  private static let slack = 1.3
  /// Delay until a recovered HLS server gets a request.
  private static let retry = 1.0
  /// Maximum lateness in seconds for a valid result.
  private static let maxLateness = 0.15
  /// A timeout of 5 s without data, and 5 s more.
  private static let maxBufferedSilence = 10.5
  /// Maximum seconds that may stay unplayed without data.
  private static let maxUnplayed = 0.2
  private static let maxRetryDelay = 6.0
  /// Time for overdue audio to play, which distinguishes late from never.
  private static let maxOverdue = 15.0

  private var isHeardWhole: Bool {
    if plan.item.source == .segments {
      return hasEnded && ear.heard > station.packager.audible.lowerBound - 0.1 && station.packager.missed.isEmpty
    }
    return !plan.isLive && ear.heard > station.whole - 0.1
  }

  // MARK: The end

  private func isOver(_ status: RadioStatus, _ now: Double) -> Bool {
    if status.state == .stopped {
      if plan.isLive, !hasEnded { result.faults.append("stopped by itself") }
      return true
    }
    if isTriedInVain(status), status.held <= Self.maxUnplayed, now > ear.lastSound + 1 {
      unheard = status.held
      return true
    }
    if let overdue, now > overdueAt + Self.maxOverdue {
      let held = String(format: "%.1f", status.held)
      result.faults.append("\(overdue.words), and still silent \(Int(now - overdue.since)) s later, \(held) s held")
      return true
    }
    if now > began + plan.maxDuration {
      result.faults.append("does not end: \(status.state), \(ear.heard) s heard")
      return true
    }
    guard plan.isLive, !hasEnded, isLiveDone(now) else { return false }
    // After the HLS playlist's end all audio must play.
    hasEnded = plan.isSegmented
    if hasEnded { station.packager.end() }
    return !hasEnded
  }

  /// True if the HLS playlist has ended.
  private var hasEnded = false
  /// Seconds buffered at the end, which play only after a restart.
  private var unheard = 0.0

  /// True if the radio retries a live playlist that has ended (R4.1); no more data will arrive.
  private func isTriedInVain(_ status: RadioStatus) -> Bool { plan.isLive && hasEnded && status.state == .connecting }

  /// True if playback continued long enough after the stall; a slow line has several underruns meanwhile.
  private func isLiveDone(_ now: Double) -> Bool {
    guard let flow, flowsAt != nil, !ear.isSilent(at: now) else { return false }
    if playedAtFlow == nil { playedAtFlow = (ear.heard, radio.status.held) }
    guard let (heard, held) = playedAtFlow else { return false }
    let enough = plan.item.line < 1 ? held + 2.5 * plan.gathering.refill : held
    return ear.heard > heard + min(enough, 12) + 3 && now > flow + 3
  }

  private var playedAtFlow: (heard: Double, held: Double)?

  private func finish() {
    let end = monotonicSeconds()
    let summary = radio.close()
    station.flows.open()
    station.close()
    if summary.rescues > 0 { result.faults.append("rescued \(summary.rescues) times") }
    if !plan.isLive, result.faults.isEmpty, abs(summary.heard - station.whole) > 0.073 {
      result.faults.append("\(summary.heard) s heard of \(station.whole)")
    }
    if plan.isSegmented, result.faults.isEmpty { judgeSegments(summary.heard + unheard) }
    result.seconds = end - began
    result.isLate = max(punctuality.maxDelay, station.lateness, delay.maxDelay) > Self.maxLateness
  }
}

extension StallRun {
  private func judgeSegments(_ heard: Double) {
    let (audible, missed) = (station.packager.audible, station.packager.missed)
    if !missed.isEmpty { result.faults.append("segments \(missed) were never asked for") }
    if heard < audible.lowerBound - 0.073 || heard > audible.upperBound + 0.073 {
      result.faults.append("\(heard) s heard of \(audible)")
    }
  }
}

/// Detects silence and playback in the radio's figure of played seconds.
struct SilenceDetector {
  /// Played seconds of all programmes.
  private(set) var heard = 0.0
  private(set) var lastSound: Double
  private var told = 0.0

  init(at now: Double) { lastSound = now }

  mutating func update(_ told: Double, at now: Double) {
    if told > self.told + 0.001 || told < self.told - 1 {
      heard += told > self.told ? told - self.told : told
      lastSound = now
    }
    self.told = told
  }

  /// True after 0.4 s without progress; the figure changes a few times a second.
  func isSilent(at now: Double) -> Bool { now - lastSound > 0.4 }

  var hasSounded: Bool { heard > 0 }
}

import Framing
import RadioEngine

/// A simple model of the radio's contract. Checks each command and event against the model, and records complaints.
final class RadioModel {
  enum Command: Equatable {
    case pause, resume, play, stop, live, oldest
    case rewind(Double)
    case forward(Double)
    case tune(String)
    case select(String)

    var isSeek: Bool {
      switch self {
      case .rewind, .forward, .live, .oldest: true
      default: false
      }
    }
  }

  /// A snapshot of the radio; times in seconds.
  struct Moment {
    var time: Double
    /// Seconds between the first and the last reading of the snapshot.
    var span: Double
    var status: RadioStatus
    /// Read last.
    var written: Double
    var position: Double { status.position }
    var oldest: Double { status.blocks.oldest.seconds }
  }

  private(set) var complaints: [String] = []
  private(set) var state = RadioState.stopped
  /// The programme's path; each event with a station must name this path.
  private(set) var path = ""
  private var selected: String?
  private var isLive = true
  private(set) var hasPlayed = false
  private(set) var isResting = false
  /// Range for the position of the pending seek.
  private(set) var target: ClosedRange<Double>?
  /// True if the pending seek must end with `seekDone`.
  private(set) var mustFinishSeek = false
  /// True if the radio is paused and the sink has played out.
  var isStill = false
  private var commandEvents: [Event] = []
  private var isCommanded = false
  /// True after a stitch in a pause, until `paused` is reported again.
  private var mustReportPaused = false
  private var titles: Set<String> = []
  private(set) var counts: [String: Int] = [:]
  /// Seeks checked, and seeks excused because the machine was late.
  private(set) var seekCounts = (asked: 0, excused: 0)

  private static let packet = 0.03
  private static let late = 0.3
  private static let safety = 3.0

  /// The latest commands and events, printed with the first complaint.
  private var trace: [String] = []

  func complain(_ text: String) {
    if complaints.isEmpty { print("before \(text):\n" + trace.suffix(60).joined(separator: "\n")) }
    if complaints.count < 20 { complaints.append(text) }
  }

  private func record(_ text: String) {
    trace.append(text)
    if trace.count > 1_000 { trace.removeFirst(900) }
  }

  private func check(_ isRight: Bool, _ text: @autoclosure () -> String) { if !isRight { complain(text()) } }

  // MARK: Commands

  func begin() {
    commandEvents = []
    isCommanded = true
  }

  /// Checks the effect of a command. `answer`: the result of `play`.
  func end(_ command: Command, from before: Moment, to after: Moment, answer: Bool?) {
    isCommanded = false
    let names = commandEvents.map(\.name)
    record(
      "\(command) at \(before.time), \(after.time - before.time) s: \(before.oldest)...\(before.written), "
        + "\(before.position) to \(after.oldest)...\(after.written), \(after.position)")
    switch command {
    case .pause: pause()
    case .resume: resume(after)
    case .play:
      check(answer == !(selected ?? path).isEmpty, "play said \(answer ?? false)")
      if state == .paused, selected == nil {
        resume(after)
      } else if let next = selected ?? (path.isEmpty ? nil : path) {
        tune(next)
      }
    case .stop:
      check(commandEvents == (state == .stopped ? [] : [.stopped(.user)]), "stop told \(names)")
      (state, target, mustFinishSeek) = (.stopped, nil, false)
    case .tune(let path): tune(path)
    case .select(let path):
      check(commandEvents.isEmpty, "select told \(names)")
      selected = path
    case .rewind, .forward, .live, .oldest: seek(command, before, after)
    }
    let isJoining = after.status.state == .connecting && (state == .playing || state == .buffering)
    check(after.status.state == state || isJoining, "\(command) made the state \(after.status.state), not \(state)")
  }

  private func pause() {
    guard state != .stopped, state != .paused else {
      check(commandEvents.isEmpty, "a second pause told \(commandEvents.map(\.name))")
      return
    }
    check(commandEvents == [.paused(.user)], "pause told \(commandEvents.map(\.name))")
    (state, isResting, mustReportPaused) = (.paused, false, false)
  }

  private func resume(_ after: Moment) {
    guard state == .paused else {
      check(commandEvents.isEmpty, "resume without a pause told \(commandEvents.map(\.name))")
      return
    }
    check(
      commandEvents.map(\.name).allSatisfy { $0 == "buffering" } && commandEvents.count < 2,
      "resume told \(commandEvents.map(\.name))")
    check([.connecting, .buffering].contains(after.status.state), "resume made the state \(after.status.state)")
    (state, isResting, mustReportPaused) = (hasPlayed ? .buffering : after.status.state, false, false)
  }

  private func tune(_ path: String) {
    check(commandEvents.isEmpty, "tune told \(commandEvents.map(\.name))")
    self.path = path
    (selected, target, mustFinishSeek, isLive, titles) = (nil, nil, false, !path.hasPrefix("/file"), [])
    (state, hasPlayed, isResting, mustReportPaused) = (.connecting, false, false, false)
  }

  private func seek(_ command: Command, _ before: Moment, _ after: Moment) {
    // A file is requested again for a position outside the buffer.
    check(
      commandEvents.allSatisfy { !isLive && $0.name == "buffering" }, "\(command) told \(commandEvents.map(\.name))")
    guard hasPlayed, state != .stopped else { return }
    // Playback continues meanwhile: by the card's buffer and the elapsed time.
    let progress = isStill ? 0 : 0.35 + after.time - before.time
    let low = before.position - (isStill ? 0 : 0.05)
    let high = isStill ? before.position : max(before.position, after.oldest) + progress
    let wish: ClosedRange<Double>
    mustFinishSeek = true
    switch command {
    case .rewind(let seconds): wish = low - seconds...high - seconds
    case .forward(let seconds): wish = low + seconds...high + seconds
    case .oldest where isLive: wish = -1...max(before.oldest, after.oldest)
    case .oldest:
      wish = -1...max(before.oldest, after.oldest, target?.upperBound ?? 0) + 0.45
    default:
      // A file's pending seek may keep its target.
      let stays = !isLive && target != nil && after.position == before.position
      if stays || after.written - Self.safety < low { return mustFinishSeek = target != nil }
      let safe = before.written - Self.safety
      let goes = safe > high
      // A requested seek in a file always ends.
      mustFinishSeek = goes || !isLive && target != nil
      wish = goes ? safe...(after.written - Self.safety) : low...max(high, after.written)
    }
    let range =
      isLive
      ? clamp(wish.lowerBound, before, low)...clamp(wish.upperBound, after, high)
      : clamp(wish.lowerBound, inFile: after)...clamp(wish.upperBound, inFile: after)
    // The first periods after a seek may be one packet earlier.
    let slack = isStill ? 0.001 : 2 * Self.packet
    let isRight =
      range.lowerBound - slack <= after.position && after.position <= range.upperBound + progress + 0.001
    // On a late machine playback may have passed the target.
    let isExcused = !isRight && after.time - before.time + before.span > Self.late
    seekCounts = (seekCounts.asked + 1, seekCounts.excused + (isExcused ? 1 : 0))
    check(
      isRight || isExcused, "\(command) from \(before.position) goes to \(after.position), not \(range)")
    target = range.lowerBound...max(range.lowerBound, min(range.upperBound, after.position))
  }

  private func clamp(_ wish: Double, _ moment: Moment, _ position: Double) -> Double {
    max(moment.oldest, min(wish, max(moment.written - 1, min(position, moment.written))))
  }

  private func clamp(_ wish: Double, inFile moment: Moment) -> Double {
    max(0, min(wish, moment.status.duration ?? moment.written))
  }

  // MARK: Events

  func process(_ event: Event, _ status: RadioStatus) {
    counts[event.name, default: 0] += 1
    record("\(event), \(status.blocks.oldest.seconds)...\(status.blocks.written.seconds), \(status.position)")
    if isCommanded { commandEvents.append(event) }
    check(state != .stopped || isCommanded || event.name == "summary", "\(event.name) after the end")
    if mustReportPaused { check(event.name == "paused", "\(event.name) before it says that it still pauses") }
    checkNames(in: event)
    switch event {
    case .connecting:
      check(!hasPlayed, "connecting, after it has played")
      if state != .paused { state = .connecting }
    case .buffering, .queueExhausted:
      check(state != .paused || isCommanded, "\(event.name) in a pause")
      if state != .paused { state = .buffering }
    case .playing:
      check(state == .connecting || state == .buffering, "playing in the state \(state)")
      // Buffered audio plays during a reconnect.
      let isJoining = status.state == .connecting && status.held > 0
      check(status.state == .playing || isJoining, "playing is told too early (1.9)")
      (state, hasPlayed) = (.playing, true)
    case .paused(let reason): processPaused(reason)
    case .stitched: mustReportPaused = state == .paused
    case .seekDone(let position, _): processSeekDone(position, status)
    case .stopped(let reason):
      check(isCommanded == (reason == .user), "stopped by \(reason)")
      if !isCommanded { (state, target, mustFinishSeek) = (.stopped, nil, false) }
    case .deviceLost: complain("the device is lost")
    default: break
    }
  }

  private func processPaused(_ reason: Event.StopReason) {
    if isCommanded { return }
    check(state == .paused, "paused in the state \(state)")
    if mustReportPaused {
      mustReportPaused = false
    } else {
      check(reason == .timeout && !isResting, "paused by \(reason) once more")
      isResting = true
      counts["rest", default: 0] += 1
    }
  }

  private func processSeekDone(_ position: Double, _ status: RadioStatus) {
    guard let target else { return complain("a seek is done that nobody wanted, at \(position)") }
    let isThere = position > target.lowerBound - Self.packet && position <= target.upperBound + Self.packet
    // A target that was dropped meanwhile becomes the oldest position.
    let isOldest = position > target.lowerBound && position <= status.blocks.oldest.seconds + Self.packet
    check(isThere || isOldest, "a seek to \(target) is done at \(position)")
    (self.target, mustFinishSeek) = (nil, false)
  }

  /// An event must not name an earlier programme.
  /// Returns the station in a title "STATION - NUMBER". A title with the artist of the title before is one text.
  private static func station(of title: Title) -> String? {
    title.artist ?? title.text.split(separator: " - ").first.map { String($0) }
  }

  private func checkNames(in event: Event) {
    let name: String?
    switch event {
    case .connecting(let url), .httpError(_, let url), .missingContent(let url, _), .badContent(let url, _),
      .urlNotFound(let url, _), .timeoutExceeded(let url, _):
      name = url
    case .playing(let station, _, _): name = station
    case .stationInfo(let info): name = info.facts.name ?? info.facts.url
    case .metadataReceived(let title):
      name = Self.station(of: title)
      titles.insert(title.text)
    case .metadataChanged(let title, _):
      name = Self.station(of: title)
      check(titles.contains(title.text), "a title is heard that never came: \(title.text)")
    default: return
    }
    check(name.map { "/\($0)".hasSuffix(path) } == true, "\(event.name) names \(name ?? "nobody") instead of \(path)")
  }

  // MARK: In between

  func checkState(at moment: Moment) {
    let status = moment.status
    // Buffered audio plays during a reconnect (R1.9).
    let isJoining = status.state == .connecting && (state == .playing || state == .buffering)
    check(status.state == state || isJoining, "the state is \(status.state), not \(state)")
    check(!mustReportPaused, "it does not say that it still pauses")
    guard state != .stopped else { return }
    check(status.isResting == isResting, "it \(status.isResting ? "rests" : "does not rest")")
    check(status.timeShift >= 0 && status.held >= 0, "less than nothing is held")
    // A file's position changes before the new request delivers packets.
    guard hasPlayed, isLive || !mustFinishSeek else { return }
    // The ring may drop packets that are decoded but not yet audible. On the fast clock, a render thread that is 0.25 s
    // late reports a position 3 s old.
    check(
      moment.position <= moment.written + 0.001 && moment.position > moment.oldest - 4.5 - moment.span,
      "the position \(moment.position) of \(path) is not within \(moment.oldest)...\(moment.written), \(state)")
    if let title = status.title { check(titles.contains(title.text), "the title is \(title.text)") }
  }
}

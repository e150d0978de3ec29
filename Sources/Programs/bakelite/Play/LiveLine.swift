import RadioEngine

/// The words of `play`: an updated line on a terminal, otherwise a line per event.
final class LiveLine {
  var isLive: Bool { display.isLive }
  private let display: any LiveDisplay
  private var buffered = 0.0
  private var retries = RetryWords()
  /// The current attempt to connect; nil while connected.
  private var retry: LiveText.Retry?
  private var note: (text: String, until: Double)?
  /// The station's facts printed last; nil after a new connection attempt.
  private var station: String?

  init(on display: any LiveDisplay) { self.display = display }

  /// Shows an event; `time` is the radio's, in seconds.
  func show(_ event: Event, at time: Double) {
    switch event {
    case .playing, .stationInfo, .stitched, .stopped: retry = nil
    // A note belongs to the earlier station.
    case .connecting: note = nil
    default: break
    }
    guard let text = Self.sentence(event), isWorthALine(event, text, at: time) else { return }
    display.note(text)
  }

  /// Shows a key's new state in the line for two seconds. Prints it separately without a terminal, or if it has several
  /// lines, and prints a reason.
  func show(_ words: KeyWords, at time: Double) {
    switch words {
    case .state(let words) where isLive && !words.contains("\n"): note = (words, time + 2)
    case .state(let words): display.note(words)
    case .reason(let words):
      note = nil
      display.note(words)
    }
  }

  /// Returns true if an event needs its own line. Attempts to reconnect update the line on a terminal; elsewhere each
  /// cause repeats at growing intervals.
  private func isWorthALine(_ event: Event, _ text: String, at time: Double) -> Bool {
    switch event {
    case .reconnecting(let attempt, _, let reason, _):
      station = nil
      if isLive { retry = LiveText.Retry(reason: reason, attempt: attempt) }
      return !isLive && retries.isTold(reason, at: time)
    case .connecting:
      station = nil
      return retries.isTold(text, at: time)
    case .httpError: return retries.isTold(text, at: time)
    case .stationInfo(let info):
      // An address recognized as a file is announced again (R1.5), perhaps with another measured bit rate.
      let facts = "\(info.facts.url) \(info.codec) \(info.sampleRate) \(info.channels)"
      defer { station = facts }
      return facts != station
    case .itemBegan, .followed:
      station = nil
      return true
    default: return true
    }
  }

  /// Shows the state. `sleep`: the remaining minutes of the sleep timer.
  func update(_ radio: Radio, sleep: Int?) {
    guard isLive else { return }
    let (status, (left, right)) = (radio.status, radio.levels)
    // The buffer changes in bursts. The figure follows only changes over 0.8 s, and an empty buffer.
    if abs(status.held - buffered) > 0.8 || status.held < 0.1 { buffered = status.held }
    let level = max(left.average, right.average).value
    let trouble = radio.sinkTrouble?.description
    var line = LiveText(status, held: buffered, level: level, retry: retry, trouble: trouble)
    if let recording = status.recording { line.marks.append("REC \(LiveText.clock(recording.seconds))") }
    if let sleep { line.marks.append("sleep \(sleep) min") }
    if let note, radio.time < note.until { line.note = note.text }
    display.show(line)
  }

  /// Prints the summary, unless playback failed before any sound.
  func end(_ summary: Summary, isFailure: Bool) {
    display.clear()
    guard summary.heard > 0 || !isFailure else { return }
    display.note(
      "Played \(LiveText.clock(summary.heard)), \(Self.count(summary.underruns, "underrun")), "
        + "\(Self.count(summary.titles, "title")), \(Self.count(summary.reconnects, "reconnect")).")
  }

  private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

  private static func buffer(_ held: Double) -> String {
    held < 1 ? "buffer empty" : "\(Int(held)) s in the buffer"
  }

  private static func sentence(_ event: Event) -> String? {
    switch event {
    case .connecting(let url): url.hasPrefix("file:") ? "Opening \(url)" : "Connecting to \(url)"
    case .stationInfo(let info): station(info)
    case .playing(_, let latency, _): "Playing after \(Int(latency * 1000)) ms"
    case .metadataChanged(let title, _): title.text.isEmpty ? nil : "Title: \(title.text)"
    case .reconnecting(let attempt, let delay, let reason, let held):
      "\(reason) Retry \(attempt) in \(Int(delay.rounded(.up))) s (\(buffer(held)))."
    case .queueExhausted: "The buffer is empty; waiting for data."
    case .readThrough(_, let message), .unknownEncoding(_, let message), .deviceLost(_, let message),
      .deviceBack(_, let message):
      message
    case .itemBegan(let index, let count, let title, let url): "\(index) of \(count): \(title ?? url)"
    case .rescued(let held, let waits):
      "Playback was stuck with \(Int(held)) s in the buffer and now continues (\(waits))."
    case .followed(let url): "Next: \(url)"
    case .failedOver(let from, let to, let reason, _, _): "\(reason) \(to) plays instead of \(from)."
    case .cameBack(let to, _, _): "\(to) plays again."
    case .httpError(let code, let url): "\(url) answered \(code)."
    case .recordingStopped(let path, let bytes, let error):
      error ?? "Recorded \(bytes) bytes to \(path)"
    case .songKept(let song, _, let error): error ?? "Kept \(song.path)"
    default: nil
    }
  }

  private static func station(_ info: StationInfo) -> String {
    let rate = info.bitRate.map { ", \($0) kbit/s" } ?? ""
    let channels = info.channels == 1 ? "mono" : "stereo"
    let kind = info.facts.isLive && !info.facts.mayBeFile ? "Station" : "File"
    return "\(kind): \(info.facts.shownName) (\(info.codec)\(rate), \(info.sampleRate) Hz, \(channels))"
  }
}

/// The line as text for a terminal of any width. Less important parts are cut first.
struct LiveText {
  struct Retry {
    var reason: String
    var attempt: Int
  }

  var state = RadioState.stopped
  /// True if the radio plays but the sink accepts no sound.
  var isSilent = false
  /// Seconds: played, buffered, delay to live, maximum buffer.
  var heard = 0.0
  var held = 0.0
  var timeShift = 0.0
  var capacity: Double?
  /// The level in dBFS.
  var level = -96.0
  /// The sink's fault, otherwise the title, otherwise the station.
  var name = ""
  /// The audible title; nil without one.
  private(set) var title: String?
  /// The effect of a key, in place of bars and title.
  var note: String?
  var retry: Retry?
  /// True if the listener can go back or forward.
  var seeks = false
  /// The running recording and the sleep timer.
  var marks: [String] = []

  /// `buffered` replaces the status's own figure, which jumps. `trouble`: the sink's fault.
  init(_ status: RadioStatus, held: Double, level: Double, retry: Retry?, trouble: String?) {
    state = status.state
    heard = status.heard
    timeShift = status.timeShift
    capacity = status.capacity
    (self.held, self.level, isSilent) = (held, level, !status.isAudioPlaying)
    self.retry = trouble == nil ? retry : nil
    seeks = status.seeks
    title = status.title.flatMap { $0.text.isEmpty ? nil : $0.text }
    name = trouble ?? status.title.map { $0.text.isEmpty ? status.station : $0.text } ?? status.station
  }

  init() {}

  func line(width: Int) -> String {
    if let note { return TextColumns.cut("\(word) \(Self.clock(heard))  \(note)", to: width) }
    if let retry {
      let step = state == .paused ? "Paused" : heard > 0 ? "Reconnecting" : "Connecting"
      let front = "\(step): \(Self.clause(retry.reason))"
      return tails(of: retry).map { front + $0 }.first { TextColumns.count($0) <= width }
        ?? TextColumns.cut(front, to: width)
    }
    let least = min(TextColumns.count(name), Self.minNameWidth)
    let front = fronts.first { TextColumns.count($0) + 2 + least <= width } ?? fronts[fronts.count - 1]
    return TextColumns.cut("\(front)  \(name)", to: width)
  }

  /// Returns the texts after the reason, longest first.
  private func tails(of retry: Retry) -> [String] {
    let (attempt, held) = ("  try \(retry.attempt)", "  \(seconds) s buffered")
    return ["\(attempt)  [\(buffer)]\(held)", attempt + held, held, ""].map { marked + $0 } + [""]
  }

  /// The marks, with a gap before each.
  private var marked: String { marks.map { "  \($0)" }.joined() }

  private var fronts: [String] {
    let shift = timeShift < 1 ? "" : "  \(Int(timeShift)) s behind"
    let state = "\(word) \(Self.clock(heard))\(marked)"
    let loudness = Self.bar(1 + level / 48, of: 8, "=", " ")
    let held = "\(seconds) s buffered"
    return [
      "\(state)  [\(buffer)] \(held)  |\(loudness)|\(shift)", "\(state)  [\(buffer)] \(held)\(shift)",
      "\(state)  \(held)\(shift)", state,
    ]
  }

  private static let minNameWidth = 20

  private var seconds: Int { Int(held.rounded()) }
  private var buffer: String { Self.bar(capacity.map { held / max(1, min(10, $0)) } ?? 0, of: 10, "#", "-") }

  /// Returns the first clause, without the advice.
  private static func clause(_ sentence: String) -> String {
    let end = sentence.firstRange(of: "; ")?.lowerBound ?? sentence.endIndex
    let clause = sentence[..<end]
    return String(clause.hasSuffix(".") ? clause.dropLast() : clause)
  }

  private static func bar(_ share: Double, of count: Int, _ full: String, _ empty: String) -> String {
    let filled = Int((max(0, min(1, share)) * Double(count)))
    return String(repeating: full, count: filled) + String(repeating: empty, count: count - filled)
  }

  private var word: String {
    switch state {
    case .stopped: "Stopped   "
    case .connecting: "Connecting"
    case .buffering: "Buffering "
    case .playing where isSilent: "Silent    "
    case .playing: "Playing   "
    case .paused: "Paused    "
    }
  }

  /// Formats minutes and seconds, or hours too; negative or invalid values become 0.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e9)))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}

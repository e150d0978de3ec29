import Glibc
import Radio

/// What `play` shows on standard error: one line that is always true on a terminal, a line per event elsewhere.
final class LiveLine {
  /// Whether there is a terminal to draw on.
  let isLive = isatty(STDERR_FILENO) == 1
  private var shown = ""
  private var held = 0.0
  private var retries = RetryWords()
  /// What is tried now, in the place of the station's name; nil while it is on the air.
  private var retry: String?

  /// Shows what an event means to a person; `time` is the radio's, in seconds.
  func show(_ event: Event, at time: Double) {
    switch event {
    case .playing, .stationInfo, .stitched, .buffering, .stopped: retry = nil
    default: break
    }
    guard let text = Self.sentence(event), isWorthALine(event, text, at: time) else { return }
    clear()
    say(text)
  }

  /// Tries are many: on a terminal they rewrite the line, elsewhere each cause is said again at growing pauses.
  private func isWorthALine(_ event: Event, _ text: String, at time: Double) -> Bool {
    switch event {
    case .reconnecting(_, _, let reason, _):
      if isLive { retry = text }
      return !isLive && retries.isTold(reason, at: time)
    case .connecting, .httpError: return retries.isTold(text, at: time)
    default: return true
    }
  }

  /// Redraws the line.
  func update(_ radio: Radio) {
    guard isLive else { return }
    let (status, (left, right)) = (radio.status, radio.levels)
    // Held seconds come in bursts and go evenly: the figure moves only when it moves by most of a second.
    if abs(status.held - held) > 0.8 { held = status.held }
    let level = max(left.average, right.average).value
    let text = Self.line(status, held: held, level: level, retry: retry, width: Self.width)
    guard text != shown else { return }
    shown = text
    write("\r\u{1B}[K\(text)", to: STDERR_FILENO)
  }

  /// Wipes the line, so that something else can be written.
  func clear() {
    if isLive, !shown.isEmpty { write("\r\u{1B}[K", to: STDERR_FILENO) }
    shown = ""
  }

  /// The last words.
  func end(_ summary: Summary) {
    clear()
    say(
      "Heard \(Self.clock(summary.heard)), \(Self.count(summary.underruns, "underrun")), "
        + "\(Self.count(summary.titles, "title")), \(Self.count(summary.reconnects, "reconnect")).")
  }

  private static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 79 }
    return Int(size.ws_col) - 1
  }

  private static func line(
    _ status: RadioStatus, held: Double, level: Double, retry: String?, width: Int
  ) -> String {
    let buffer = bar(status.capacity.map { held / max(1, min(10, $0)) } ?? 0, of: 10, "#", "-")
    // 48 dB, as the level screen of a box.
    let loudness = bar(1 + level / 48, of: 8, "=", " ")
    let front = "\(word(status.state)) \(clock(status.heard))  [\(buffer)] \(Int(held.rounded())) s held  |\(loudness)|"
    let name = retry ?? status.title.map { $0.text.isEmpty ? status.station : $0.text } ?? status.station
    let shift = status.timeShift < 1 ? "" : "  \(Int(status.timeShift)) s behind"
    return String("\(front)\(shift)  \(name)".prefix(width))
  }

  private static func bar(_ share: Double, of count: Int, _ full: String, _ empty: String) -> String {
    let filled = Int((max(0, min(1, share)) * Double(count)))
    return String(repeating: full, count: filled) + String(repeating: empty, count: count - filled)
  }

  private static func word(_ state: RadioState) -> String {
    switch state {
    case .stopped: "Stopped   "
    case .connecting: "Connecting"
    case .buffering: "Buffering "
    case .playing: "Playing   "
    case .paused: "Paused    "
    }
  }

  private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }

  private static func sentence(_ event: Event) -> String? {
    switch event {
    case .connecting(let url): "Connecting to \(url)"
    case .stationInfo(let info): station(info)
    case .playing(_, let latency, _): "Playing after \(Int(latency * 1000)) ms"
    case .metadataChanged(let title, _): title.text.isEmpty ? nil : "Title: \(title.text)"
    case .reconnecting(let attempt, let delay, let reason, let held):
      "\(reason) Try \(attempt) in \(Int(delay.rounded(.up))) s; \(Int(held)) s are held."
    case .queueExhausted: "All that was held is played; waiting for more."
    case .readThrough(_, let message), .deviceLost(_, let message), .deviceBack(_, let message): message
    case .itemBegan(let index, let count, let title, let url): "\(index) of \(count): \(title ?? url)"
    case .rescued(let held, let waits):
      "\(Int(held)) s were held and not heard; they are played now (\(waits))."
    case .followed(let url): "Next: \(url)"
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
    return "Station: \(info.facts.name ?? info.facts.url) (\(info.codec)\(rate), \(info.sampleRate) Hz, \(channels))"
  }
}

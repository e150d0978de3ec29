import Framing
import System
import Units

/// A copy of the radio's state for pages and monitors. Updated after each notification, and once a second while a page
/// is open or audio is expected.
final class RadioMirror {
  private let link: RadioLink
  private let clock: Clock
  /// The last status; nil without a radio.
  private(set) var status: StatusSnapshot?
  private(set) var health: HealthWatch
  private var hub = EventHub()
  private var presets: [PresetEntry] = []
  /// True if the presets must be requested again, because the radio was too busy.
  private var lacksPresets = false
  private var moved: [AnswerLine]?
  private var nextMoved = MonotonicTime.zero
  private var isAsking = false
  private var isStale = false
  private var askedAt = MonotonicTime.zero
  /// True if the radio does not support MPD's command for the current song.
  private var lacksSong = false
  private var waiting: [() -> Void] = []

  /// Minimum interval of queries: a knob changes the volume many times a second.
  private static let minInterval = Duration(milliseconds: 40)
  private static let often = Duration(milliseconds: 1_000)
  /// Interval of idle queries; the radio disconnects clients after a minute of silence.
  private static let seldom = Duration(milliseconds: 10_000)
  private static let movedInterval = Duration(milliseconds: 60_000)

  init(_ link: RadioLink, _ clock: Clock) {
    (self.link, self.clock) = (link, clock)
    health = HealthWatch(at: clock.now())
    link.addListener { [unowned self] in process($0) }
  }

  var pageCount: Int { hub.count }

  var due: MonotonicTime { min(hub.due, nextAsk) }

  private var nextAsk: MonotonicTime {
    guard link.isHere, !isAsking else { return .never }
    if isStale { return askedAt + Self.minInterval }
    let isAtRest = ["stopped", "paused", "off"].contains(health.condition.state)
    return askedAt + (hub.count > 0 || !isAtRest ? Self.often : Self.seldom)
  }

  func attend(at now: MonotonicTime) {
    if now >= nextAsk { ask(at: now) }
    hub.attend(at: now)
  }

  func sweep(_ lasts: (_ cookie: String) -> Bool) { hub.sweep(lasts) }

  // MARK: Queries

  /// Calls `done` after the next status, or at once if no radio is connected. `mayBeOld`: true if a status up to 1 s
  /// old suffices.
  func refresh(mayBeOld: Bool, _ done: @escaping () -> Void) {
    let now = clock.now()
    guard link.isHere, !mayBeOld || isStale || status == nil || now - askedAt > Self.often else { return done() }
    waiting.append(done)
    isStale = true
  }

  /// Opens a stream for a page; nil if there are too many.
  func open(cookie: String) -> EventStream? {
    let now = clock.now()
    guard let stream = hub.open(cookie: cookie, at: now) else { return nil }
    if link.isHere { isStale = true } else { sendStatus(toAll: false) }
    return stream
  }

  func end() { hub.end() }

  // MARK: Notifications

  private func process(_ news: RadioLink.News) {
    switch news {
    case .isHere(true):
      isAsking = false
      isStale = true
      lacksSong = false
      moved = nil
      askedAt = .zero
      askPresets()
    case .isHere(false):
      status = nil
      isAsking = false
      health.update(HealthCondition(nil), at: clock.now())
      hub.send("change", Self.absent)
      sendStatus(toAll: false)
      finish()
    case .event(let event):
      hub.send("event", event)
      isStale = true
    case .changed(let subsystem):
      isStale = true
      if subsystem == "stored_playlist" { askPresets() }
      let lists = ["stored_playlist": "presets", "playlist": "queue", "output": "rooms", "database": "directory"]
      if let list = lists[subsystem] { sendList(list: list) }
    }
  }

  private func sendList(list: String) { hub.send("list", (["list": list] as JsonLine).line) }

  private static let absent = (["radio": false] as JsonLine).line

  private func sendStatus(toAll: Bool) { hub.send(status: status?.json.line ?? Self.absent, toAll: toAll) }

  private func askPresets() {
    lacksPresets = false
    link.ask([RadioCommand("listplaylistinfo", "Presets")], at: clock.now()) { [unowned self] answer in
      lacksPresets = answer == .silent
      guard case .success(let parts) = answer else { return }
      presets = PresetEntry.all(in: parts[0])
      isStale = true
    }
  }

  private func ask(at now: MonotonicTime) {
    if lacksPresets { askPresets() }
    (isAsking, isStale, askedAt) = (true, false, now)
    let commands = [RadioCommand("radio_status")] + (lacksSong ? [] : [RadioCommand("currentsong")])
    link.ask(commands, at: now) { [unowned self] in process($0) }
    if hub.count > 0, now >= nextMoved { askMoved(at: now) }
  }

  private func process(_ answer: RadioAnswer) {
    isAsking = false
    switch answer {
    case .success(let parts): process(parts)
    // Retry without `currentsong`, which this radio does not support.
    case .refused where !lacksSong: (lacksSong, isStale) = (true, true)
    case .silent:
      health.update(HealthCondition(nil), at: clock.now())
      finish()
    case .refused, .absent: finish()
    }
  }

  private func process(_ parts: [[AnswerLine]]) {
    let file = parts.count > 1 ? parts[1].first { $0.key == "file" }?.value : nil
    let place = file.flatMap { file in presets.firstIndex { $0.file == file } }
    let (old, new) = (status, StatusSnapshot(parts[0], preset: place.map { $0 + 1 }))
    status = new
    health.update(HealthCondition(new), at: clock.now())
    if let changes = old?.changes(to: new) { hub.send("change", changes.line) }
    sendStatus(toAll: old == nil)
    finish()
  }

  private func finish() {
    let done = waiting
    waiting = []
    for tell in done { tell() }
  }

  /// Queries moved presets while pages are open, once a minute. The radio sends no notification of moves.
  private func askMoved(at now: MonotonicTime) {
    nextMoved = now + Self.movedInterval
    link.ask([RadioCommand("radio_relocate")], at: now) { [unowned self] answer in
      guard case .success(let parts) = answer else { return }
      if let moved, moved != parts[0] { sendList(list: "moved") }
      moved = parts[0]
    }
  }
}

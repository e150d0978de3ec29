import System
import Units

/// The connections to the radio's control socket: one for notifications, one for commands. Never blocks. Reconnects to
/// a missing or silent radio after 0.25 s, later after at most 5 s.
final class RadioLink {
  enum News: Equatable {
    case isHere(Bool)
    case event(String)
    case changed(String)
  }

  private let path: String
  private let watch: Int32
  private var asked: RadioSocket?
  private var telling: RadioSocket?
  private var exchange = CommandExchange()
  private var feed = EventFeed()
  private var listeners: [(News) -> Void] = []
  private var awaited: [Int: (RadioAnswer) -> Void] = [:]
  private var lastId = 0
  private var pause = minPause
  /// Time of the last connection attempt while connected, otherwise of the next attempt.
  private var since = MonotonicTime.zero
  private var room = [UInt8](repeating: 0, count: 8_192)

  private static let minPause = Duration(milliseconds: 250)
  private static let maxPause = Duration(milliseconds: 5_000)
  /// Minimum duration of a connection that resets the back-off.
  private static let steady = Duration(milliseconds: 5_000)

  /// Creates a link to the radio's socket at `path`. `watch`: the set for its descriptors (`bk_watch`).
  init(_ path: String, watch: Int32) { (self.path, self.watch) = (path, watch) }

  var isHere: Bool { feed.isReady }

  var due: MonotonicTime { asked == nil ? since : min(exchange.due, feed.due) }

  func addListener(_ listener: @escaping (News) -> Void) { listeners.append(listener) }

  func ask(_ commands: [RadioCommand], at now: MonotonicTime, _ done: @escaping (RadioAnswer) -> Void) {
    guard asked != nil else { return done(.absent) }
    lastId += 1
    guard exchange.enqueue(lastId, commands, at: now) else { return done(.silent) }
    awaited[lastId] = done
    send(at: now)
  }

  func attend(at now: MonotonicTime) {
    if asked == nil, now >= since { connect(at: now) }
    guard let asked, let telling else { return }
    var isFine = telling.read(into: &room) { [self] line in processEventLine(event: line) }
    isFine = isFine && asked.read(into: &room) { [self] line in processAnswerLine(answer: line) }
    let (late, isSilent) = exchange.expire(at: now)
    for id in late { finish(id, .silent) }
    guard isFine, !isSilent, feed.due > now else { return lose(at: now, isSilent ? .silent : .absent) }
    send(at: now)
  }

  private func connect(at now: MonotonicTime) {
    telling = RadioSocket(path, watch: watch)
    asked = telling == nil ? nil : RadioSocket(path, watch: watch)
    guard asked != nil else { return lose(at: now, .absent) }
    since = now
    exchange.begin(at: now)
    feed.begin(at: now)
  }

  /// Ends the connections, completes waiting calls with `answer`, and schedules a reconnect.
  private func lose(at now: MonotonicTime, _ answer: RadioAnswer) {
    let wasHere = isHere
    if asked != nil, now - since >= Self.steady { pause = Self.minPause }
    (asked, telling) = (nil, nil)
    since = now + pause
    pause = min(Self.maxPause, pause + pause)
    feed.end()
    let left = exchange.end()
    if wasHere { notify(.isHere(false)) }
    for id in left { finish(id, answer) }
  }

  private func notify(_ news: News) { for tell in listeners { tell(news) } }

  /// Removes and returns the file that the radio passed with the reply; for the call of `done` in `ask`.
  func removePassed() -> PassedFile? { asked?.removePassed() }

  private func finish(_ id: Int, _ answer: RadioAnswer) {
    awaited.removeValue(forKey: id)?(answer)
    // A file without a caller is closed.
    _ = removePassed()
  }

  private func send(at now: MonotonicTime) {
    guard let asked, let telling else { return }
    if !telling.send(feed.next()) || !asked.send(exchange.next(at: now)) { lose(at: now, .absent) }
  }

  private func processEventLine(event line: String) -> Bool {
    do throws(EventFeed.Nonsense) {
      switch try feed.process(line) {
      case .ready?: notify(.isHere(true))
      case .event(let text)?: notify(.event(text))
      case .changed(let subsystem)?: notify(.changed(subsystem))
      case nil: break
      }
      return true
    } catch {
      return false
    }
  }

  private func processAnswerLine(answer line: String) -> Bool {
    do throws(CommandExchange.Nonsense) {
      if let (id, answer) = try exchange.process(line) { finish(id, answer) }
      return true
    } catch {
      return false
    }
  }
}

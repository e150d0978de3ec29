import System
import Units

/// The radio, by its control socket: one connection for what it tells by itself, one for what it is asked.
///
/// Nothing here waits. A radio that is gone, or does not answer, is tried again after 0.25 s, then less and less
/// often, up to every 5 s.
final class RadioLink {
  /// What the radio tells by itself.
  enum News: Equatable {
    /// It is there, or gone.
    case isHere(Bool)
    /// An event, an object of JSON.
    case event(String)
    /// One of MPD's subsystems changed.
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
  private var pause = shortestPause
  /// When the radio came, or is tried again.
  private var since = MonotonicTime.zero
  private var room = [UInt8](repeating: 0, count: 8_192)

  private static let shortestPause = Duration(milliseconds: 250)
  private static let longestPause = Duration(milliseconds: 5_000)
  /// A connection that lasted so long was none of many that fail.
  private static let steady = Duration(milliseconds: 5_000)

  /// The radio at a socket; a set waits for what it says.
  init(_ path: String, watch: Int32) { (self.path, self.watch) = (path, watch) }

  /// Whether the radio is there.
  var isHere: Bool { feed.isReady }

  /// When something is to be done though nothing came.
  var due: MonotonicTime { asked == nil ? since : min(exchange.due, feed.due) }

  /// Has someone told of all that comes.
  func tell(_ listener: @escaping (News) -> Void) { listeners.append(listener) }

  /// Asks the radio for something; `done` is told what became of it.
  func ask(_ commands: [RadioCommand], at now: MonotonicTime, _ done: @escaping (RadioAnswer) -> Void) {
    guard asked != nil else { return done(.absent) }
    lastId += 1
    guard exchange.give(lastId, commands, at: now) else { return done(.silent) }
    awaited[lastId] = done
    send(at: now)
  }

  /// Sees to all that came, and to what is due.
  func attend(at now: MonotonicTime) {
    if asked == nil, now >= since { connect(at: now) }
    guard let asked, let telling else { return }
    var isFine = telling.read(into: &room) { [self] line in hear(event: line) }
    isFine = isFine && asked.read(into: &room) { [self] line in hear(answer: line) }
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

  /// There is no radio any more; who waits for it is told, and it is tried again after a while.
  private func lose(at now: MonotonicTime, _ answer: RadioAnswer) {
    let wasHere = isHere
    if asked != nil, now - since >= Self.steady { pause = Self.shortestPause }
    (asked, telling) = (nil, nil)
    since = now + pause
    pause = min(Self.longestPause, pause + pause)
    feed.end()
    let left = exchange.end()
    if wasHere { note(.isHere(false)) }
    for id in left { finish(id, answer) }
  }

  private func note(_ news: News) { for tell in listeners { tell(news) } }

  private func finish(_ id: Int, _ answer: RadioAnswer) { awaited.removeValue(forKey: id)?(answer) }

  private func send(at now: MonotonicTime) {
    guard let asked, let telling else { return }
    if !telling.send(feed.next()) || !asked.send(exchange.next(at: now)) { lose(at: now, .absent) }
  }

  private func hear(event line: String) -> Bool {
    do throws(EventFeed.Nonsense) {
      switch try feed.hear(line) {
      case .ready?: note(.isHere(true))
      case .event(let text)?: note(.event(text))
      case .changed(let subsystem)?: note(.changed(subsystem))
      case nil: break
      }
      return true
    } catch {
      return false
    }
  }

  private func hear(answer line: String) -> Bool {
    do throws(CommandExchange.Nonsense) {
      if let (id, answer) = try exchange.hear(line) { finish(id, answer) }
      return true
    } catch {
      return false
    }
  }
}

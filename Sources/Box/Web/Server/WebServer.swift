import CLinux
import Glibc
import System
import Units

/// The running web panel: one thread waits for browsers, the radio and signals. Other threads read recordings.
final class WebServer {
  /// Raised by any thread to end the server.
  let stop = SharedWakeFlag()
  let places: [SocketAddress]

  private let clock: Clock
  private let watch: Descriptor
  private let sockets: ListeningSockets
  private let link: RadioLink
  private let mirror: RadioMirror
  private let checker: PasswordChecker
  private let site: WebSite
  private let daemon: WebDaemon
  private var orders: WebOrdersWatch?
  private var nextSweep = MonotonicTime.zero
  /// Number of consecutive iterations after which libmicrohttpd requested the next at once.
  private var restlessRounds = 0
  private var isOutdated = false

  private static let maxRestlessRounds = 32
  /// Minimum wait in milliseconds after too many iterations without a wait.
  private static let breath: Int64 = 5
  private static let sweepInterval = Duration(milliseconds: 1_000)

  /// Opens all resources. `code`: the password if no password file is set. `read`: reads recordings.
  init(
    _ options: WebOptions, code: String, _ clock: Clock,
    read: @escaping BlockReaders.Read = { file, offset, room in file.read(at: offset, into: room) }
  ) throws(WebError) {
    self.clock = clock
    let watch = Descriptor(bk_watch_open())
    let expected: PasswordChecker.Expected = options.passwordFile.map { .file($0) } ?? .code(code)
    if let path = options.passwordFile {
      do throws(PasswordFileError) { _ = try PasswordHash(path: path) } catch { throw .password(error) }
    }
    let files: PageFiles
    do throws(PageFilesError) { files = try PageFiles(folder: options.files) } catch { throw .page(error) }
    let tls = try Self.tls(options)
    sockets = try ListeningSockets(options.listen)
    places = sockets.places
    link = RadioLink(options.socket, watch: watch.raw)
    mirror = RadioMirror(link, clock)
    checker = PasswordChecker(expected) { bk_watch(watch.raw, $0, false) }
    var rules = WebSite.Rules(isReadOnly: options.isReadOnly, isEncrypted: tls != nil)
    (rules.reportsLogin, rules.state) = (options.reportsLogin, options.state)
    site = WebSite(files, rules, link, mirror, checker, clock)
    let readers = BlockReaders(clock, read)
    daemon = try WebDaemon(site, tls: tls, readers, clock)
    sockets.watch(in: watch.raw)
    bk_watch(watch.raw, daemon.descriptor, false)
    bk_watch(watch.raw, readers.finished.flag.descriptor, false)
    bk_watch(watch.raw, stop.flag.descriptor, false)
    self.watch = watch
  }

  private static func tls(_ options: WebOptions) throws(WebError) -> (key: String, certificate: String)? {
    guard let certificate = options.certificate, let key = options.key else { return nil }
    return (try text(of: key), try text(of: certificate))
  }

  private static func text(of path: String) throws(WebError) -> String {
    do throws(WholeFile.Problem) {
      return String(decoding: try WholeFile.read(path, limit: 262_144), as: UTF8.self)
    } catch {
      if case .unreadable(let code) = error { throw .unreadable(path, errno: code) }
      throw .badCertificate
    }
  }

  /// Ends the server if the radio's settings differ from `orders`, or if the radio refuses to send them.
  func follow(_ orders: WebOrders) {
    self.orders = WebOrdersWatch(link, clock) { [unowned self] in
      if case .success(orders) = $0 { return }
      isOutdated = true
    }
  }

  /// Uses the code on the radio's display from the radio's report on; without a report, the first code stays. Another
  /// code ends all sign-ins. `emit` receives each other code.
  func shareCode(_ emit: @escaping (String) -> Void) {
    orders = WebOrdersWatch(link, clock) { [unowned self] in
      guard case .success(let orders) = $0, let code = orders.code, checker.use(radioCode: code) else { return }
      emit(code)
    }
  }

  /// Runs until a stop is requested, or until `isEnding` returns true. An event on `other` wakes the loop.
  func run(watching other: Int32 = -1, isEnding: () -> Bool = { false }) {
    if other >= 0 { bk_watch(watch.raw, other, false) }
    var isStopped = false
    while !isStopped, !isOutdated, !isEnding() {
      goRound()
      if !isOutdated { wait() }
      isStopped = stop.flag.wait(.zero, by: clock)
    }
    mirror.end()
    daemon.finish()
  }

  private func wait() {
    let due = min(link.due, mirror.due, min(daemon.due, nextSweep))
    let own = clock.realMilliseconds(max(.zero, min(Self.sweepInterval, due - clock.now())).milliseconds)
    // libmicrohttpd requests the next iteration at once while a browser is silent during a handshake.
    let theirs = max(daemon.patience, restlessRounds > Self.maxRestlessRounds ? Self.breath : -1)
    restlessRounds = daemon.patience == 0 && !daemon.hasRead ? restlessRounds + 1 : 0
    _ = bk_wait_readable(watch.raw, theirs < 0 ? own : Int32(min(Int64(own), theirs)))
  }

  private func goRound() {
    let now = clock.now()
    sockets.accept { daemon.add($0) }
    link.attend(at: now)
    checker.attend()
    mirror.attend(at: now)
    orders?.attend()
    if now >= nextSweep {
      nextSweep = now + Self.sweepInterval
      site.sweep(at: now)
    }
    daemon.run(at: now)
  }
}

import DirectoryClient
import Glibc
import Synchronization
import System
import Units

/// Reports a played station to the directory.
final class Click: Sendable {
  private let click: StationClick
  private let clock: Clock
  private let servers: @Sendable (_ isEnded: () -> Bool) -> [DirectoryServer]
  private let isOver = Atomic(false)
  private let isDone = Atomic(false)

  /// Maximum duration of a report.
  private static let maxDuration = Duration(seconds: 10)
  /// Maximum wait for the report's thread after `body`, because a lookup at a silent name server cannot be cancelled.
  private static let patience = Duration(seconds: 1)

  init(
    _ click: StationClick, clock: Clock, servers: @escaping @Sendable (_ isEnded: () -> Bool) -> [DirectoryServer]
  ) {
    (self.click, self.clock, self.servers) = (click, clock, servers)
  }

  /// Creates a report to the owner's `mirror`, otherwise to the directory's servers. Call it before the program starts
  /// threads, because it may change the environment.
  convenience init(_ click: StationClick, clock: Clock, mirror: String?) {
    if mirror == nil { DirectoryServer.limitPatience() }
    self.init(click, clock: clock) { isEnded in
      mirror.map { (try? DirectoryServer(mirror: $0)).map { [$0] } ?? [] } ?? DirectoryServer.found(isEnded: isEnded)
    }
  }

  /// Sends the report. Blocks for at most 10 s, or for the rest of a running lookup.
  func send() {
    let end = clock.now() + Self.maxDuration
    let isEnded = { self.isOver.load(ordering: .relaxed) || self.clock.now() >= end }
    let found = servers(isEnded)
    if !isEnded() { click.send(to: found, isEnded: isEnded) }
  }

  /// Sends the report on its own thread while `body` runs. Cancels an unfinished report when `body` ends.
  func send(during body: () throws -> Void) throws {
    let made = try? OwnedThread("click") { [self] in
      send()
      isDone.store(true, ordering: .releasing)
    }
    guard let thread = made else { return try body() }
    let result = Result { try body() }
    isOver.store(true, ordering: .relaxed)
    let end = clock.now() + Self.patience
    while !isDone.load(ordering: .acquiring), clock.now() < end { usleep(10_000) }
    if isDone.load(ordering: .acquiring) { thread.join() } else { thread.abandon() }
    try result.get()
  }
}

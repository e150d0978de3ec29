import DirectoryClient
import Glibc
import Synchronization
import System
import Units

final class Click: Sendable {
  private let click: StationClick
  private let clock: Clock
  private let servers: @Sendable (_ isEnded: () -> Bool) -> [DirectoryServer]
  private let isOver = Atomic(false)
  /// True if the thread has finished.
  private let isDone = Atomic(false)

  /// The maximum time if the program only waits for this.
  private static let longest = Duration(seconds: 10)
  /// The maximum delay at the program's end, because a lookup at a silent name server cannot be cancelled.
  private static let patience = Duration(seconds: 1)

  /// Creates a report to the servers that `servers` returns.
  init(
    _ click: StationClick, clock: Clock, servers: @escaping @Sendable (_ isEnded: () -> Bool) -> [DirectoryServer]
  ) {
    (self.click, self.clock, self.servers) = (click, clock, servers)
  }

  /// Creates a report to the directory's servers, or to the owner's `mirror`. Call it before the program starts
  /// threads.
  convenience init(_ click: StationClick, clock: Clock, mirror: String?) {
    if mirror == nil { DirectoryServer.limitPatience() }
    self.init(click, clock: clock) { isEnded in
      mirror.map { (try? DirectoryServer(mirror: $0)).map { [$0] } ?? [] } ?? DirectoryServer.found(isEnded: isEnded)
    }
  }

  /// Sends the report, for some seconds at most.
  func send() {
    let end = clock.now() + Self.longest
    let isEnded = { self.isOver.load(ordering: .relaxed) || self.clock.now() >= end }
    let found = servers(isEnded)
    if !isEnded() { click.send(to: found, isEnded: isEnded) }
  }

  /// Sends the report on its own thread while `body` runs, and drops it at the end.
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

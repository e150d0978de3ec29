import DirectoryClient
import Glibc
import Synchronization
import System
import Units

/// Tells the directory that a station is played.
final class Click: Sendable {
  private let click: StationClick
  private let clock: Clock
  private let servers: @Sendable (_ isEnded: () -> Bool) -> [DirectoryServer]
  /// Whether what it tells of has ended.
  private let isOver = Atomic(false)
  /// Whether its thread has nothing more to do.
  private let isDone = Atomic(false)

  /// It takes no longer if the program waits for it alone.
  private static let longest = Duration(seconds: 10)
  /// A name server that is silent cannot be called off; so long the program's end waits for it.
  private static let patience = Duration(seconds: 1)

  /// A click for the servers that `servers` finds.
  init(
    _ click: StationClick, clock: Clock, servers: @escaping @Sendable (_ isEnded: () -> Bool) -> [DirectoryServer]
  ) {
    (self.click, self.clock, self.servers) = (click, clock, servers)
  }

  /// A click for the directory's servers, or for the owner's `mirror`; made while the program has one thread.
  convenience init(_ click: StationClick, clock: Clock, mirror: String?) {
    if mirror == nil { DirectoryServer.limitPatience() }
    self.init(click, clock: clock) { isEnded in
      mirror.map { (try? DirectoryServer(mirror: $0)).map { [$0] } ?? [] } ?? DirectoryServer.found(isEnded: isEnded)
    }
  }

  /// Sends it, for some seconds at most.
  func send() {
    let end = clock.now() + Self.longest
    let isEnded = { self.isOver.load(ordering: .relaxed) || self.clock.now() >= end }
    let found = servers(isEnded)
    if !isEnded() { click.send(to: found, isEnded: isEnded) }
  }

  /// Sends it on a thread of its own while `body` runs; what is not sent by then is not sent.
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

import DirectoryClient
import Synchronization
import System

/// Tells the directory that a station is played.
final class Click: Sendable {
  private let click: StationClick
  private let mirror: String?
  /// Whether what it tells of has ended.
  private let isOver = Atomic(false)

  /// A click for the directory's servers, or for the owner's `mirror`.
  init(_ click: StationClick, mirror: String?) { (self.click, self.mirror) = (click, mirror) }

  /// Sends it, for some seconds at most.
  func send() {
    let named = mirror.flatMap { try? DirectoryServer(mirror: $0) }.map { [$0] }
    click.send(to: named ?? DirectoryServer.found()) { self.isOver.load(ordering: .relaxed) }
  }

  /// Sends it on a thread of its own while `body` runs; what is not sent by then is not sent.
  func send(during body: () throws -> Void) throws {
    let thread = try? OwnedThread("click") { [self] in send() }
    let result = Result { try body() }
    isOver.store(true, ordering: .relaxed)
    thread?.join()
    try result.get()
  }
}

import Directory
import Network
import System
import Units

/// Carries out one request after the other, on the thread that asks.
struct ServerVisit {
  let engine: HttpEngine
  let clock: Clock
  /// Asked ten times a second; true ends it.
  let isEnded: () -> Bool

  /// How long connecting, the head of the answer, and each piece of it may take.
  static let patience = Duration(seconds: 10)
  /// How long an answer may take altogether.
  static let longest = Duration(seconds: 600)

  /// Asks, and hands over the body of the answer as it comes; returns when all of it is there.
  func get(
    _ request: HttpRequest, within longest: Duration = ServerVisit.longest,
    _ take: @escaping (Span<UInt8>) throws(DirectoryError) -> Void
  ) throws(ServerFailure) {
    let answer = ServerAnswer(clock, take)
    let transfer: Transfer
    do throws(NetworkError) { transfer = try engine.start(request, handler: answer) } catch { throw .network(error) }
    let deadline = clock.now() + longest
    while answer.end == nil {
      engine.step(timeout: Duration(milliseconds: 100))
      let now = clock.now()
      if answer.failure == nil {
        if isEnded() {
          answer.failure = .ended
        } else if now >= deadline {
          answer.failure = .slow
        } else if now >= answer.lastSign + Self.patience {
          answer.failure = .silent
        }
      }
      if answer.failure != nil { transfer.cancel() }
    }
    if let failure = answer.failure { throw failure }
    if case .failed(let error)? = answer.end { throw .network(error) }
  }
}

/// An answer while it comes. All on the thread that steps the engine.
private final class ServerAnswer: TransferHandler {
  /// Why it is not wanted any more.
  var failure: ServerFailure?
  /// How it ended; nil before that.
  private(set) var end: TransferEnd?
  /// When something came last, or when it was asked for.
  private(set) var lastSign: MonotonicTime
  private let clock: Clock
  private let take: (Span<UInt8>) throws(DirectoryError) -> Void

  init(_ clock: Clock, _ take: @escaping (Span<UInt8>) throws(DirectoryError) -> Void) {
    (self.clock, self.take) = (clock, take)
    lastSign = clock.now()
  }

  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    lastSign = clock.now()
    guard head.status == 200 else {
      failure = failure ?? .status(head.status)
      return .stop
    }
    return .go
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    lastSign = clock.now()
    guard failure == nil else { return .taken }
    do throws(DirectoryError) { try take(bytes) } catch { failure = .content(error) }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { self.end = end }
}

import Directory
import Http
import System
import Units

/// Sends requests one after the other on the calling thread.
struct ServerVisit {
  let engine: HttpEngine
  let clock: Clock
  /// Polled ten times a second; if true, the request ends.
  let isEnded: () -> Bool

  /// Timeout for connecting, the response header, and each piece of the body.
  static let patience = Duration(seconds: 10)
  static let maxDuration = Duration(seconds: 600)

  /// Sends a request and passes each received piece of the body to `take`. Returns after the last byte.
  func get(
    _ request: HttpRequest, within longest: Duration = ServerVisit.maxDuration,
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

/// The state of a response. Use only on the thread that steps the engine.
private final class ServerAnswer: TransferHandler {
  var failure: ServerFailure?
  private(set) var end: TransferEnd?
  /// Time of the last data; at first the time of the request.
  private(set) var lastSign: MonotonicTime
  private let clock: Clock
  private let receive: (Span<UInt8>) throws(DirectoryError) -> Void

  init(_ clock: Clock, _ take: @escaping (Span<UInt8>) throws(DirectoryError) -> Void) {
    (self.clock, self.receive) = (clock, take)
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
    do throws(DirectoryError) { try receive(bytes) } catch { failure = .content(error) }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { self.end = end }
}

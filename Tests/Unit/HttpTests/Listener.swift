import Foundation
import Http
import Units

/// A handler that records its calls and responds as a test demands.
final class Listener: TransferHandler {
  private(set) var heads: [HttpHead] = []
  private(set) var body: [UInt8] = []
  private(set) var ends: [TransferEnd] = []
  var onHead: () -> HeadVerdict = { .go }
  var onBytes: (Span<UInt8>) -> Flow = { _ in .taken }
  var onEnd: () -> Void = {}

  var head: HttpHead? { heads.first }
  var text: String { String(decoding: body, as: UTF8.self) }
  var isOver: Bool { !ends.isEmpty }
  var error: NetworkError? { if case .failed(let error) = ends.first { error } else { nil } }

  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    heads.append(head)
    return onHead()
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    let flow = onBytes(bytes)
    if flow == .taken { bytes.withUnsafeBufferPointer { body += $0 } }
    return flow
  }

  func transferDidEnd(_ end: TransferEnd) {
    ends.append(end)
    onEnd()
  }
}

extension HttpEngine {
  /// Steps until `isDone`. Returns false after 30 s.
  func run(until isDone: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 30)
    while !isDone() {
      if Date() > deadline { return false }
      step(timeout: Duration(milliseconds: 1000))
    }
    return true
  }
}

/// Fetches a URL to the end with its own engine.
func fetch(
  _ url: String, trust: TrustStore = TrustStore(), _ adapt: (inout HttpRequest) -> Void = { _ in }
) throws -> Listener {
  var request = HttpRequest(url: url)
  adapt(&request)
  let (engine, listener) = (try HttpEngine(trust: trust), Listener())
  _ = try engine.start(request, handler: listener)
  _ = engine.run { listener.isOver }
  return listener
}

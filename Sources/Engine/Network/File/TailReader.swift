import Framing
import Http
import Units

/// Requests the last bytes of a file during its download: tags at the end do not count as audio. Net thread only.
final class TailReader: SideReader {
  private let file: FileTransfer
  /// Weak: the engine retains its transfers, and a transfer retains this reader.
  private weak var engine: HttpEngine?
  private var request: HttpRequest
  private let tailByteCount: Int
  private var onEnd: ((Span<UInt8>, Bool) -> Void)?
  private var transfer: Transfer?
  let due: MonotonicTime
  private var bytes: [UInt8] = []
  /// Nil before the head of a response with the file's tail.
  private var expectedByteCount: Int?
  /// True after a response from a server that may support ranges (status 200, 206 or 416).
  private var isAnswered = false
  private var isRefused = true

  /// `onEnd`: receives the last bytes of the file, or an empty span on failure. The second value is true if the server
  /// refused the request, or did not respond.
  init(
    _ file: FileTransfer, _ request: HttpRequest, _ engine: HttpEngine, at now: MonotonicTime,
    onEnd: @escaping (Span<UInt8>, Bool) -> Void
  ) throws(NetworkError) {
    self.file = file
    self.engine = engine
    self.request = request
    self.onEnd = onEnd
    due = now + Self.maxDuration
    tailByteCount = file.tailByteCount
    self.request.lastByteCount = Int64(tailByteCount)
    self.request.receiveBuffer = FileTransfer.receiveBuffer
    transfer = try engine.start(self.request, handler: self)
  }

  func end() {
    request.lastByteCount = nil
    transfer?.cancel()
  }

  func cancel() {
    onEnd = nil
    end()
  }
}

extension TailReader: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    isAnswered = [200, 206, 416].contains(head.status)
    isRefused = ![200, 206].contains(head.status)
    guard file.isTail(head, tailByteCount), let total = head.contentRangeTotal else { return .stop }
    expectedByteCount = Int(min(total, Int64(min(tailByteCount, FileTransfer.maxTailByteCount))))
    return .go
  }

  func transferDidReceive(_ more: Span<UInt8>) -> Flow {
    guard let expectedByteCount else { return .taken }
    for index in more.indices where bytes.count < expectedByteCount { bytes.append(more[index]) }
    // A server may send without end.
    if bytes.count == expectedByteCount { end() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    if expectedByteCount == nil, requestByOffset() { return }
    let found = bytes.count == expectedByteCount ? bytes : []
    onEnd.take()?(found.span, isRefused)
  }

  /// Repeats the request by offset if the server cannot count from the end (RFC 9110, 14.1.2). True if repeated.
  private func requestByOffset() -> Bool {
    guard isAnswered, onEnd != nil, request.lastByteCount != nil, file.isLengthInTail || file.tags.areInChunks,
      let engine, let byteCount = file.byteCount
    else { return false }
    request.lastByteCount = nil
    request.firstByte = Int64(max(0, byteCount - tailByteCount))
    transfer = try? engine.start(request, handler: self)
    return transfer != nil
  }
}

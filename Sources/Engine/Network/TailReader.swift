import Framing
import Units

/// Reads the last bytes of a file beside its download: tags that stand there are no part of its length. The net
/// thread's.
final class TailReader {
  private let file: FileTransfer
  /// It holds its transfers, which hold this.
  private weak var engine: HttpEngine?
  private var request: HttpRequest
  private var onEnd: ((Span<UInt8>) -> Void)?
  private var transfer: Transfer?
  /// When it is called off, whatever came.
  let due: MonotonicTime
  private var bytes: [UInt8] = []
  /// So many bytes are the answer; nil before its head.
  private var wanted: Int?
  /// Whether a server answered that may know parts.
  private var isAnswered = false

  /// Asks `engine` for the last bytes of `file` by `request`; `onEnd` takes them, or none where they did not come.
  ///
  /// - Throws: As for `HttpEngine.start`.
  init(
    _ file: FileTransfer, _ request: HttpRequest, _ engine: HttpEngine, at now: MonotonicTime,
    onEnd: @escaping (Span<UInt8>) -> Void
  ) throws(NetworkError) {
    (self.file, self.engine, self.request, self.onEnd) = (file, engine, request, onEnd)
    due = now + FileLooks.longest
    self.request.lastByteCount = Int64(file.tailByteCount)
    self.request.receiveBuffer = FileTransfer.receiveBuffer
    transfer = try engine.start(self.request, handler: self)
  }

  /// Calls it off; its end is told.
  func end() {
    request.lastByteCount = nil
    transfer?.cancel()
  }

  /// Calls it off, and tells nothing more.
  func cancel() {
    onEnd = nil
    end()
  }
}

extension TailReader: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    isAnswered = [200, 206, 416].contains(head.status)
    guard file.isTail(head), let total = head.contentRangeTotal else { return .stop }
    wanted = Int(min(total, Int64(file.tailByteCount)))
    return .go
  }

  func transferDidReceive(_ more: Span<UInt8>) -> Flow {
    guard let wanted else { return .taken }
    for index in more.indices where bytes.count < wanted { bytes.append(more[index]) }
    // A server may send on for ever.
    if bytes.count == wanted { end() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    if wanted == nil, asksByPlace() { return }
    let told = onEnd
    onEnd = nil
    let found = bytes.count == wanted ? bytes : []
    told?(found.span)
  }

  /// Asks once more, by the byte at which they begin, where a server does not count from the end (RFC 9110, 14.1.2) and
  /// the file's length stands there; false where it does not ask.
  private func asksByPlace() -> Bool {
    guard isAnswered, onEnd != nil, request.lastByteCount != nil, file.isToldByTail, let engine,
      let byteCount = file.byteCount
    else { return false }
    request.lastByteCount = nil
    request.firstByte = Int64(max(0, byteCount - file.tailByteCount))
    transfer = try? engine.start(request, handler: self)
    return transfer != nil
  }
}

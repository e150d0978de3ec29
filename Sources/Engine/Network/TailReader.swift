import Framing
import Units

/// Reads the last bytes of a file beside its download: tags that stand there are no part of its length. The net
/// thread's.
final class TailReader {
  private let file: FileTransfer
  private var onEnd: ((Span<UInt8>) -> Void)?
  private var transfer: Transfer?
  /// When it is called off, whatever came.
  let due: MonotonicTime
  private var bytes: [UInt8] = []
  /// So many bytes are the answer; nil before its head.
  private var wanted: Int?

  /// Asks `engine` for the last bytes of `file` by `request`; `onEnd` takes them, or none where they did not come.
  ///
  /// - Throws: As for `HttpEngine.start`.
  init(
    _ file: FileTransfer, _ request: HttpRequest, _ engine: HttpEngine, at now: MonotonicTime,
    onEnd: @escaping (Span<UInt8>) -> Void
  ) throws(NetworkError) {
    (self.file, self.onEnd) = (file, onEnd)
    due = now + FileLooks.longest
    var http = request
    http.lastByteCount = Int64(file.tailByteCount)
    http.receiveBuffer = FileTransfer.receiveBuffer
    transfer = try engine.start(http, handler: self)
  }

  /// Calls it off; its end is told.
  func end() { transfer?.cancel() }

  /// Calls it off, and tells nothing more.
  func cancel() {
    onEnd = nil
    end()
  }
}

extension TailReader: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
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
    let told = onEnd
    onEnd = nil
    let found = bytes.count == wanted ? bytes : []
    told?(found.span)
  }
}

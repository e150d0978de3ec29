import Framing

/// Reads the last bytes of a file beside its download: tags that stand there are no part of its length. The net
/// thread's.
final class TailReader {
  private unowned let receiver: Receiver
  /// Nil before the engine has taken it up.
  var transfer: Transfer?
  private var bytes: [UInt8] = []
  private var isPart = false

  init(_ receiver: Receiver) { self.receiver = receiver }

  /// Calls it off.
  func cancel() { transfer?.cancel() }
}

extension TailReader: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    isPart = receiver.isTail(head)
    return isPart ? .go : .stop
  }

  func transferDidReceive(_ more: Span<UInt8>) -> Flow {
    for index in more.indices where bytes.count < TrailingTags.tailByteCount { bytes.append(more[index]) }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { receiver.tailEnded(self, isPart && end == .complete ? bytes : []) }
}

extension Receiver {
  /// Asks for a file's last bytes where its length rests on where it ends.
  func readTail() {
    guard tailReader == nil, let known = file, known.restsOnItsEnd, facts?.isSeekable == true, !isPlain,
      let address = candidates?.current.address, !address.isFile
    else { return }
    var http = plainRequest(for: address)
    http.lastByteCount = Int64(TrailingTags.tailByteCount)
    let reader = TailReader(self)
    reader.transfer = try? engine.start(http, handler: reader)
    if reader.transfer != nil { tailReader = reader }
  }

  /// Whether an answer brings the last bytes of the file as it is known.
  func isTail(_ head: HttpHead) -> Bool {
    guard let total = head.contentRangeTotal else { return false }
    return isPart(head, from: max(0, total - Int64(TrailingTags.tailByteCount)))
  }

  /// The last bytes came, or none.
  func tailEnded(_ reader: TailReader, _ bytes: [UInt8]) {
    guard reader === tailReader else { return }
    reader.transfer = nil
    if file?.title == nil, let title = Self.title(in: bytes.span) {
      file?.title = title
      if file?.isAnnounced == true { tellFileTitle() }
    }
    let tail = TrailingTags.byteCount(in: bytes.span)
    guard tail > 0 else { return }
    file?.learn(tail: tail)
    if file?.isAnnounced == true, let length = file?.currentMap?.length { tellAtOnce(length: length) }
  }
}

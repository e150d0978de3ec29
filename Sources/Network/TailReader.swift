import Framing
import Units

/// Reads the last bytes of a file beside its download: tags that stand there are no part of its length. The net
/// thread's.
final class TailReader {
  private unowned let receiver: Receiver
  /// Nil before the engine has taken it up.
  var transfer: Transfer?
  /// When it is called off, whatever came.
  let due: MonotonicTime
  private var bytes: [UInt8] = []
  /// So many bytes are the answer; nil before its head.
  private var wanted: Int?

  init(_ receiver: Receiver, at now: MonotonicTime) {
    self.receiver = receiver
    due = now + Receiver.longestLook
  }

  /// Calls it off.
  func cancel() { transfer?.cancel() }
}

extension TailReader: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    guard receiver.isTail(head), let total = head.contentRangeTotal else { return .stop }
    wanted = Int(min(total, Int64(TrailingTags.tailByteCount)))
    return .go
  }

  func transferDidReceive(_ more: Span<UInt8>) -> Flow {
    guard let wanted else { return .taken }
    for index in more.indices where bytes.count < wanted { bytes.append(more[index]) }
    // A server may send on for ever.
    if bytes.count == wanted { cancel() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { receiver.tailEnded(self, bytes.count == wanted ? bytes : []) }
}

extension Receiver {
  /// Asks for a file's last bytes where its length rests on where it ends.
  func readTail() {
    guard tailReader == nil, let known = file, known.restsOnItsEnd, facts?.isSeekable == true, !isPlain,
      let address = candidates?.current.address, !address.isFile
    else { return }
    var http = plainRequest(for: address)
    http.lastByteCount = Int64(TrailingTags.tailByteCount)
    http.receiveBuffer = FileDownload.receiveBuffer
    let reader = TailReader(self, at: now)
    reader.transfer = try? engine.start(http, handler: reader)
    if reader.transfer != nil { tailReader = reader }
  }

  /// Calls the look at the end off, to be begun again, unless it is over.
  func endTail() {
    guard let reader = tailReader, reader.transfer != nil else { return }
    tailReader = nil
    reader.cancel()
  }

  /// So long the look at a file's end may take, and bytes of a count may fail to come.
  static let longestLook = MonotonicTime(milliseconds: 10_000)

  /// Calls the looks off that take too long.
  func attendLooks() {
    if let tailReader, tailReader.transfer != nil, now >= tailReader.due { tailReader.cancel() }
    if let placeCounter, placeCounter.transfer != nil, now >= placeCounter.due { placeCounter.cancel() }
  }

  /// When `attendLooks` is to be called next, if nothing else happens.
  var looksMoment: MonotonicTime {
    let tail = tailReader.flatMap { $0.transfer == nil ? nil : $0.due } ?? .never
    return min(tail, placeCounter.flatMap { $0.transfer == nil ? nil : $0.due } ?? .never)
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

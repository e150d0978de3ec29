import Framing
import Http
import Listings

/// One request to a title feed. The response, at most 1 MB, is parsed while it arrives. Net thread only.
final class TitleFetch {
  private weak var poller: TitlePoller?
  var transfer: Transfer?
  private var reader: NowPlayingFeedReader?
  /// Set for an encoding that the reader does not know.
  private var converter: TextConverter?
  /// Bytes not parsed yet, because the encoding or a character boundary is unknown.
  private var unparsed: [UInt8] = []
  private var isHeadRead = false
  /// Bytes that may be read before the stream must be served again.
  private var allowance = TitleFetch.turn
  private static let turn = 32_768

  private let encoding: String?

  /// Maximum bytes to search for a declaration of the encoding.
  private static let maxHeadByteCount = 512
  /// Maximum bytes not parsed. Text without any tag is then split anywhere.
  private static let maxUnparsedByteCount = 65_536

  init(_ poller: TitlePoller, encoding: String?) { (self.poller, self.encoding) = (poller, encoding) }

  func cancel() { transfer?.cancel() }

  func resume() {
    allowance = Self.turn
    transfer?.resume()
  }

  private func finish() -> NowPlayingFeed? {
    if !isHeadRead { selectEncoding() }
    parse(unparsed.count)
    guard let reader = reader.take() else { return nil }
    return try? reader.finish()
  }

  /// Selects the encoding: from the document, otherwise from the station's settings, otherwise detected by the reader.
  private func selectEncoding() {
    isHeadRead = true
    let declared = NowPlayingFeedReader.declaredEncoding(unparsed.span)
    let isReaderOwn = declared.map { Self.known.contains($0) } ?? (encoding == nil)
    if !isReaderOwn { converter = declared.flatMap { TextConverter($0) } ?? encoding.flatMap { TextConverter($0) } }
    reader = NowPlayingFeedReader(isUtf8: converter != nil)
  }

  private static let known: Set = [
    "utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1",
    "latin-1", "windows-1252", "cp1252",
  ]

  private func parse(_ count: Int) {
    guard count > 0 else { return }
    if let converter {
      reader?.append(converter.utf8(unparsed.span.extracting(0..<count)).span)
    } else {
      reader?.append(unparsed.span.extracting(0..<count))
    }
    unparsed.removeFirst(count)
  }
}

extension TitleFetch: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    let isTooLong = head.contentLength.map { $0 > Int64(NowPlayingFeedReader.byteLimit) } ?? false
    return 200..<300 ~= head.status && !isTooLong ? .go : .stop
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    // A fast feed must not delay the stream.
    guard allowance > 0 else { return .pause }
    allowance -= bytes.count
    bytes.withUnsafeBufferPointer { unparsed += $0 }
    if !isHeadRead {
      guard unparsed.count >= Self.maxHeadByteCount || unparsed.contains(UInt8(ascii: ">")) else { return .taken }
      selectEncoding()
    }
    // In the encodings used by feeds, the byte ">" is never part of another character.
    let border = converter == nil ? unparsed.count : unparsed.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
    parse(border ?? (unparsed.count > Self.maxUnparsedByteCount ? unparsed.count : 0))
    if reader?.isTooLarge == true { cancel() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    poller?.finish(self, end == .complete ? finish() : nil)
  }
}

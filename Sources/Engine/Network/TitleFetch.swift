import Framing
import Listings

/// One request for a feed of titles: its answer is read while it comes, and 1 MB of it at most. The net thread's.
final class TitleFetch {
  private weak var poller: TitlePoller?
  /// Nil before the engine has taken it up, and when it is over.
  var transfer: Transfer?
  private var reader: NowPlayingFeedReader?
  /// What makes UTF-8 of an encoding that the reader does not know.
  private var converter: TextConverter?
  /// Bytes before the encoding is known, or up to a border between characters.
  private var held: [UInt8] = []
  private var isHeadRead = false
  /// What may be read before the stream has its turn again, in bytes.
  private var room = TitleFetch.turn
  private static let turn = 32_768

  /// The encoding that the station's settings name.
  private let encoding: String?

  /// A declaration that is longer says nothing.
  private static let longestHead = 512
  /// Text without any tag is cut anywhere.
  private static let longestHeld = 65_536

  init(_ poller: TitlePoller, encoding: String?) { (self.poller, self.encoding) = (poller, encoding) }

  /// Calls it off; it tells nothing more.
  func cancel() { transfer?.cancel() }

  /// Its turn has come again.
  func goOn() {
    room = Self.turn
    transfer?.resume()
  }

  /// What the answer says; nil where it says nothing that can be read.
  private func finish() -> NowPlayingFeed? {
    if !isHeadRead { settleEncoding() }
    pass(held.count)
    guard let reader = reader.take() else { return nil }
    return try? reader.finish()
  }

  /// Chooses how bytes are read: as the document says, else as the station's settings do, else as they look.
  private func settleEncoding() {
    isHeadRead = true
    let declared = NowPlayingFeedReader.declaredEncoding(held.span)
    let isReaderOwn = declared.map { Self.known.contains($0) } ?? (encoding == nil)
    if !isReaderOwn { converter = declared.flatMap { TextConverter($0) } ?? encoding.flatMap { TextConverter($0) } }
    reader = NowPlayingFeedReader(isUtf8: converter != nil)
  }

  /// What the reader itself tells apart.
  private static let known: Set = [
    "utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1",
    "latin-1", "windows-1252", "cp1252",
  ]

  /// Reads the first bytes of those held.
  private func pass(_ count: Int) {
    guard count > 0 else { return }
    if let converter {
      reader?.append(converter.utf8(held.span.extracting(0..<count)).span)
    } else {
      reader?.append(held.span.extracting(0..<count))
    }
    held.removeFirst(count)
  }
}

extension TitleFetch: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    let isTooLong = head.contentLength.map { $0 > Int64(NowPlayingFeedReader.byteLimit) } ?? false
    return 200..<300 ~= head.status && !isTooLong ? .go : .stop
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    // A flood must not keep the stream waiting.
    guard room > 0 else { return .pause }
    room -= bytes.count
    bytes.withUnsafeBufferPointer { held += $0 }
    if !isHeadRead {
      guard held.count >= Self.longestHead || held.contains(UInt8(ascii: ">")) else { return .taken }
      settleEncoding()
    }
    // A tag's end is no part of a character in any encoding that feeds are written in.
    let border = converter == nil ? held.count : held.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
    pass(border ?? (held.count > Self.longestHeld ? held.count : 0))
    if reader?.isTooLarge == true { cancel() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    poller?.ended(self, end == .complete ? finish() : nil)
  }
}

/// Reads a document that comes in pieces and is nearly XML, and tells a handler what it holds.
///
/// `FeedDecoder` makes UTF-8 of it, `MarkupCleaner` mends common faults and drops every declaration, so that no entity
/// can grow or be fetched, and `XmlReader` checks what is left. What has been read is let go. One thread; linear.
struct MarkupReader: ~Copyable {
  /// So much text is gathered before it is read on.
  private static let pieceLength = 4_096

  private let handler: any XmlHandler
  private let byteLimit: Int
  private var decoder: FeedDecoder
  private var cleaner = MarkupCleaner()
  private var xml: XmlReader
  private var byteCount = 0
  /// Decoded and not yet cleaned.
  private var text: [UInt8] = []
  /// Why it is read no further.
  private(set) var fault: ListingError?

  /// A reader for one document of so many bytes at most; `isUtf8` where that is known, whatever its head says.
  init(to handler: any XmlHandler, byteLimit: Int, isUtf8: Bool = false) {
    self.handler = handler
    self.byteLimit = byteLimit
    decoder = FeedDecoder(isUtf8: isUtf8)
    var limits = XmlReader.Limits()
    // Mending and decoding make a text longer.
    limits.bytes = .max
    // A feed has more beside its episodes than a list has.
    limits.elements = 131_072
    // `MarkupCleaner` lets through no long tag, and no comment.
    limits.markup = .max
    xml = XmlReader(to: handler, limits: limits)
  }

  /// Whether nothing that may follow changes what was told: the root's end, a fault or a limit came, or the handler
  /// has enough.
  var isComplete: Bool { fault != nil || cleaner.isOver || handler.isFull }

  /// Reads on; pieces may be cut anywhere.
  mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      guard !isComplete else { return }
      guard byteCount < byteLimit else {
        fault = .tooLarge
        return
      }
      byteCount += 1
      decoder.take(bytes[index], to: &text)
      if text.count >= Self.pieceLength { readOn() }
    }
  }

  /// Nothing more comes; the fault that it ended with.
  mutating func finish() -> ListingError? {
    decoder.finish(to: &text)
    readOn()
    if fault == nil, !handler.isFull {
      do { try xml.finish() } catch { fault = error }
    }
    return fault
  }

  private mutating func readOn() {
    for byte in text { cleaner.take(byte) }
    text.removeAll(keepingCapacity: true)
    let cleaned = cleaner.release()
    guard fault == nil, !handler.isFull else { return }
    do { try xml.append(cleaned.span) } catch { fault = error }
  }
}

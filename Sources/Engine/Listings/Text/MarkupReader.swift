/// Parses a nearly valid XML document incrementally and reports its contents to a handler.
///
/// `FeedDecoder` produces UTF-8. `MarkupCleaner` repairs common errors and drops every declaration, so entities cannot
/// expand or load files. `XmlReader` parses the result. Processed input is discarded. One thread; linear time.
struct MarkupReader: ~Copyable {
  /// Minimum number of decoded bytes per parsing step, except the last.
  private static let pieceLength = 4_096

  private let handler: any XmlHandler
  private let byteLimit: Int
  private var decoder: FeedDecoder
  private var cleaner = MarkupCleaner()
  private var xml: XmlReader
  private var byteCount = 0
  private var text: [UInt8] = []
  private(set) var fault: ListingError?

  /// `encoding`: the encoding of a document without a declaration; nil for that of the header field `contentType`, or
  /// UTF-8.
  init(to handler: any XmlHandler, byteLimit: Int, encoding: String? = nil, contentType: String? = nil) {
    self.handler = handler
    self.byteLimit = byteLimit
    decoder = FeedDecoder(fallback: encoding, contentType: contentType)
    var limits = XmlReader.Limits()
    // Decoding and cleaning make a text longer.
    limits.bytes = .max
    // A feed has many more elements than a list.
    limits.elements = 131_072
    // `MarkupCleaner` limits tags and drops comments.
    limits.markup = .max
    xml = XmlReader(to: handler, limits: limits)
  }

  /// The declared encoding, if unknown.
  var unknownEncoding: String? { decoder.unknownName }

  /// True after the root element, an error or a limit, or if the handler is full: further input changes nothing.
  var isComplete: Bool { fault != nil || cleaner.isOver || handler.isFull }

  mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      guard !isComplete else { return }
      guard byteCount < byteLimit else {
        fault = .tooLarge
        return
      }
      byteCount += 1
      decoder.decode(bytes[index], to: &text)
      if text.count >= Self.pieceLength { readOn() }
    }
  }

  mutating func finish() -> ListingError? {
    decoder.finish(to: &text)
    readOn()
    if fault == nil, !handler.isFull {
      do { try xml.finish() } catch { fault = error }
    }
    return fault
  }

  private mutating func readOn() {
    for byte in text { cleaner.process(byte) }
    text.removeAll(keepingCapacity: true)
    let cleaned = cleaner.release()
    guard fault == nil, !handler.isFull else { return }
    do { try xml.append(cleaned.span) } catch { fault = error }
  }
}

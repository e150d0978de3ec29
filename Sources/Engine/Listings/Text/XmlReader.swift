import CExpat
import Glibc

/// Receives the contents of an XML document in order, on the reading thread.
public protocol XmlHandler: AnyObject {
  /// Handles the start of an element; names are as written, with any namespace prefix.
  func start(_ name: String, attributes: [String: String])
  /// Handles the end of the innermost element.
  func end(_ name: String)
  /// Handles a part of the innermost element's text with decoded entities; text may arrive in many parts.
  func text(_ piece: UnsafeRawBufferPointer)
  /// True if no more data is needed.
  var isFull: Bool { get }
}

extension XmlHandler {
  /// False: the reader reads to the end.
  public var isFull: Bool { false }
}

/// Reads an XML 1.0 document of UTF-8 text with expat, whole or in parts. The document is not trusted.
///
/// Never fetches an external DTD; refuses an internal DTD, so entities cannot expand. Ignores the declared encoding.
public struct XmlReader: ~Copyable {
  /// The limits of a document.
  public struct Limits: Sendable {
    /// The size of the document in bytes.
    public var bytes = 1 << 20
    /// The nesting depth of elements.
    public var depth = 64
    /// The number of attributes per element.
    public var attributes = 64
    /// The number of elements.
    public var elements = 16_384
    /// The size of a tag, comment or other markup in bytes, because expat scans incomplete markup repeatedly.
    public var markup = 96 << 10

    /// Creates the usual limits.
    public init() {}
  }

  private let parser: XML_Parser
  /// A pointer, because expat stores its address.
  private let reading: UnsafeMutablePointer<Reading>
  private let limits: Limits
  private var byteCount = 0
  private var givenCount = 0
  /// Byte index at which the incomplete markup starts.
  private var wholeCount = 0
  /// Number of bytes for each call of expat.
  private static let pieceLength = 16_384

  /// Creates a reader for one document (`XML_ParserCreate`) that calls `handler`.
  public init(to handler: any XmlHandler, limits: Limits = Limits()) {
    guard let parser = XML_ParserCreate("UTF-8") else { preconditionFailure("No memory for an XML parser.") }
    self.parser = parser
    self.limits = limits
    reading = .allocate(capacity: 1)
    reading.initialize(to: Reading(parser: parser, handler: handler, limits: limits))
    XML_SetUserData(parser, reading)
    XML_SetElementHandler(parser, Reading.onStart, Reading.onEnd)
    XML_SetCharacterDataHandler(parser, Reading.onText)
    XML_SetStartDoctypeDeclHandler(parser, Reading.onDoctype)
  }

  deinit {
    XML_ParserFree(parser)
    reading.deinitialize(count: 1)
    reading.deallocate()
  }

  /// Reads the whole document; calls the handler also for data before a fault.
  ///
  /// - Throws: `ListingError`, like `append` and `finish`; `.tooLarge` without calling the handler.
  consuming func read(_ text: Span<UInt8>) throws(ListingError) {
    try append(text)
    try finish()
  }

  /// Reads a part (`XML_Parse`); must not be called after a fault. Stops calling the handler once it is full.
  ///
  /// - Throws: `ListingError`: `.tooLarge` beyond the size limit, without calling the handler for this part;
  ///   `.malformed` if the document is not well-formed, has an internal DTD, or exceeds another limit.
  public mutating func append(_ text: Span<UInt8>) throws(ListingError) {
    byteCount += text.count
    guard byteCount <= limits.bytes else { throw .tooLarge }
    var place = 0
    while place < text.count, !reading.pointee.isFull {
      let end = min(text.count, place + Self.pieceLength)
      try parse(text.extracting(place..<end), isLast: false)
      place = end
    }
  }

  /// Ends the document.
  ///
  /// - Throws: `ListingError.malformed` if it is incomplete or not well-formed.
  public mutating func finish() throws(ListingError) { try parse([UInt8]().span, isLast: true) }

  private mutating func parse(_ text: Span<UInt8>, isLast: Bool) throws(ListingError) {
    if reading.pointee.isFull { return }
    givenCount += text.count
    let status = text.withUnsafeBytes { XML_Parse(parser, $0.baseAddress, Int32($0.count), isLast ? 1 : 0) }
    // expat may report a wrong position after it moved its buffer.
    let place = Int(clamping: bk_expat_place(parser))
    if (wholeCount...givenCount).contains(place) { wholeCount = place }
    if reading.pointee.isFull { return }
    guard status == XML_STATUS_OK, givenCount - wholeCount <= limits.markup else {
      throw .malformed(line: Int(clamping: bk_expat_line(parser)))
    }
  }
}

private struct Reading {
  let parser: XML_Parser
  let handler: any XmlHandler
  let limits: XmlReader.Limits
  var depth = 0
  var elements = 0
  var names = NameTally()
  var isFull = false
  /// True after `XML_StopParser`: expat may still complete an event, and its calls are ignored.
  var isStopped = false

  mutating func stopIfFull() {
    guard handler.isFull else { return }
    isFull = true
    stop()
  }

  mutating func recordElement(_ name: UnsafePointer<CChar>) -> Bool {
    depth += 1
    elements += 1
    return depth <= limits.depth && elements <= limits.elements && recordName(name)
  }

  /// Records a name; returns false above a limit of `NameTally`.
  mutating func recordName(_ name: UnsafePointer<CChar>) -> Bool {
    names.record(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  mutating func stop() {
    isStopped = true
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Reading>? {
    context?.assumingMemoryBound(to: Reading.self)
  }

  static let onStart: XML_StartElementHandler = { context, name, attributes in
    guard let reading = Reading.of(context), !reading.pointee.isStopped, let name, let attributes else { return }
    guard reading.pointee.recordElement(name) else { return reading.pointee.stop() }
    var pairs: [String: String] = [:]
    var next = attributes
    while let key = next[0], let value = next[1] {
      guard pairs.count < reading.pointee.limits.attributes, reading.pointee.recordName(key) else {
        return reading.pointee.stop()
      }
      pairs[String(cString: key)] = String(cString: value)
      next += 2
    }
    reading.pointee.handler.start(String(cString: name), attributes: pairs)
    reading.pointee.stopIfFull()
  }

  static let onEnd: XML_EndElementHandler = { context, name in
    guard let reading = Reading.of(context), !reading.pointee.isStopped, let name else { return }
    reading.pointee.depth -= 1
    reading.pointee.handler.end(String(cString: name))
    reading.pointee.stopIfFull()
  }

  static let onText: XML_CharacterDataHandler = { context, bytes, count in
    guard let reading = Reading.of(context), !reading.pointee.isStopped, let bytes else { return }
    reading.pointee.handler.text(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// Called before the first declaration of an internal DTD is parsed.
  static let onDoctype: XML_StartDoctypeDeclHandler = { context, _, _, _, hasInternalSubset in
    if hasInternalSubset != 0 { Reading.of(context)?.pointee.stop() }
  }
}

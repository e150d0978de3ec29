import CExpat
import Glibc

/// Who is told what an XML document holds, in its order, on the thread that reads it.
public protocol XmlHandler: AnyObject {
  /// An element begins; names are as written, with any namespace prefix.
  func start(_ name: String, attributes: [String: String])
  /// The innermost element ends.
  func end(_ name: String)
  /// A piece of the text in the innermost element, entities decoded; one run of text may come in many pieces.
  func text(_ piece: UnsafeRawBufferPointer)
  /// Whether it needs no more.
  var isFull: Bool { get }
}

extension XmlHandler {
  /// It reads to the end.
  public var isFull: Bool { false }
}

/// Reads one XML 1.0 document of UTF-8 text with expat, whole or piece by piece, and trusts it with nothing.
///
/// A document may name a DTD, which is never fetched, but declares nothing in itself: no entity can grow and no
/// attribute be given unseen. What the XML declaration says of the encoding is overruled.
public struct XmlReader: ~Copyable {
  /// How much a document may ask for.
  public struct Limits: Sendable {
    /// The longest document, in bytes.
    public var bytes = 1 << 20
    /// How deep elements may stand in each other.
    public var depth = 64
    /// The most attributes of an element.
    public var attributes = 64
    /// The most elements.
    public var elements = 16_384
    /// The longest tag, comment or other piece of markup, in bytes: expat looks at what is not whole again and again.
    public var markup = 96 << 10

    /// The usual limits.
    public init() {}
  }

  private let parser: XML_Parser
  /// Lies still, since expat keeps its address.
  private let reading: UnsafeMutablePointer<Reading>
  private let limits: Limits
  private var byteCount = 0
  /// Bytes that expat was given.
  private var givenCount = 0
  /// Where the markup begins that is not whole yet.
  private var wholeCount = 0
  /// So much is given at once.
  private static let pieceLength = 16_384

  /// A reader for one document (`XML_ParserCreate`), which tells `handler` what it holds.
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

  /// Reads the whole document and tells the handler, also of what comes before a fault.
  ///
  /// - Throws: `ListingError`, as `append` and `finish` do; `.tooLarge` with nothing told.
  consuming func read(_ text: Span<UInt8>) throws(ListingError) {
    try append(text)
    try finish()
  }

  /// Reads a piece of the document and tells the handler (`XML_Parse`); after a fault no more may come.
  ///
  /// Nothing more is told once the handler is full.
  ///
  /// - Throws: `ListingError`: `.tooLarge` where the document passes the limit of bytes, with nothing told of this
  ///   piece; `.malformed` where it is not well formed, declares anything in its DOCTYPE, or passes another limit.
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

  /// The document ends here.
  ///
  /// - Throws: `ListingError.malformed` where it is cut, or not well formed.
  public mutating func finish() throws(ListingError) { try parse([UInt8]().span, isLast: true) }

  private mutating func parse(_ text: Span<UInt8>, isLast: Bool) throws(ListingError) {
    if reading.pointee.isFull { return }
    givenCount += text.count
    let status = text.withUnsafeBytes { XML_Parse(parser, $0.baseAddress, Int32($0.count), isLast ? 1 : 0) }
    // expat may have moved its buffer, and then tells another place.
    let place = Int(clamping: bk_expat_place(parser))
    if (wholeCount...givenCount).contains(place) { wholeCount = place }
    if reading.pointee.isFull { return }
    guard status == XML_STATUS_OK, givenCount - wholeCount <= limits.markup else {
      throw .malformed(line: Int(clamping: bk_expat_line(parser)))
    }
  }
}

/// What expat's callbacks share, which get a pointer to it.
private struct Reading {
  let parser: XML_Parser
  let handler: any XmlHandler
  let limits: XmlReader.Limits
  var depth = 0
  var elements = 0
  var names = NameTally()
  /// Whether the handler needs no more.
  var isFull = false
  /// After `XML_StopParser` expat may still finish what it has begun to tell.
  var isStopped = false

  mutating func stopIfFull() {
    guard handler.isFull else { return }
    isFull = true
    stop()
  }

  /// Whether an element of this name may begin here.
  mutating func mayBegin(_ name: UnsafePointer<CChar>) -> Bool {
    depth += 1
    elements += 1
    return depth <= limits.depth && elements <= limits.elements && knows(name)
  }

  /// Whether a name is known, or may be one more.
  mutating func knows(_ name: UnsafePointer<CChar>) -> Bool {
    names.note(UnsafeRawBufferPointer(start: name, count: strlen(name)))
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
    guard reading.pointee.mayBegin(name) else { return reading.pointee.stop() }
    var pairs: [String: String] = [:]
    var next = attributes
    while let key = next[0], let value = next[1] {
      guard pairs.count < reading.pointee.limits.attributes, reading.pointee.knows(key) else {
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

  /// Called before the first declaration of an internal subset is looked at.
  static let onDoctype: XML_StartDoctypeDeclHandler = { context, _, _, _, hasInternalSubset in
    if hasInternalSubset != 0 { Reading.of(context)?.pointee.stop() }
  }
}

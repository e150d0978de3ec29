import CExpat

/// Who is told what an XML document holds, in its order, on the thread that reads it.
protocol XmlHandler: AnyObject {
  /// An element begins; names are as written, with any namespace prefix.
  func start(_ name: String, attributes: [String: String])
  /// The innermost element ends.
  func end(_ name: String)
  /// A piece of the text in the innermost element, entities decoded; one run of text may come in many pieces.
  func text(_ piece: String)
}

/// Reads one XML 1.0 document of UTF-8 text with expat, and trusts it with nothing.
///
/// A document may name a DTD, which is never fetched, but declares nothing in itself: no entity can grow and no
/// attribute be given unseen. What the XML declaration says of the encoding is overruled.
struct XmlReader: ~Copyable {
  /// How much a document may ask for.
  struct Limits: Sendable {
    /// The longest document, in bytes.
    var bytes = 1 << 20
    /// How deep elements may stand in each other.
    var depth = 64
    /// The most attributes of an element.
    var attributes = 64

    /// The usual limits.
    init() {}
  }

  private let parser: XML_Parser
  private let limits: Limits

  /// A reader for one document (`XML_ParserCreate`).
  init(limits: Limits = Limits()) {
    guard let parser = XML_ParserCreate("UTF-8") else { preconditionFailure("No memory for an XML parser.") }
    self.parser = parser
    self.limits = limits
  }

  deinit { XML_ParserFree(parser) }

  /// Reads the whole document and tells `handler`, also of what comes before a fault (`XML_Parse`).
  ///
  /// - Throws: `ListingError`: `.tooLarge` over the limit of bytes, with nothing told; `.malformed` where the document
  ///   is not well formed, declares anything in its DOCTYPE, or passes another limit.
  consuming func read(_ text: Span<UInt8>, to handler: any XmlHandler) throws(ListingError) {
    guard text.count <= limits.bytes, let count = Int32(exactly: text.count) else { throw .tooLarge }
    var reading = Reading(parser: parser, handler: handler, limits: limits)
    let status = withUnsafeMutablePointer(to: &reading) { reading in
      XML_SetUserData(parser, reading)
      XML_SetElementHandler(parser, Reading.onStart, Reading.onEnd)
      XML_SetCharacterDataHandler(parser, Reading.onText)
      XML_SetStartDoctypeDeclHandler(parser, Reading.onDoctype)
      return text.withUnsafeBytes { XML_Parse(parser, $0.baseAddress, count, 1) }
    }
    guard status == XML_STATUS_OK else {
      throw .malformed(line: Int(clamping: XML_GetCurrentLineNumber(parser)))
    }
  }
}

/// What expat's callbacks share, which get a pointer to it.
private struct Reading {
  let parser: XML_Parser
  let handler: any XmlHandler
  let limits: XmlReader.Limits
  var depth = 0
  /// After `XML_StopParser` expat may still finish what it has begun to tell.
  var isStopped = false

  mutating func stop() {
    isStopped = true
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Reading>? {
    context?.assumingMemoryBound(to: Reading.self)
  }

  static let onStart: XML_StartElementHandler = { context, name, attributes in
    guard let reading = Reading.of(context), !reading.pointee.isStopped, let name, let attributes else { return }
    reading.pointee.depth += 1
    guard reading.pointee.depth <= reading.pointee.limits.depth else { return reading.pointee.stop() }
    var pairs: [String: String] = [:]
    var next = attributes
    while let key = next[0], let value = next[1] {
      guard pairs.count < reading.pointee.limits.attributes else { return reading.pointee.stop() }
      pairs[String(cString: key)] = String(cString: value)
      next += 2
    }
    reading.pointee.handler.start(String(cString: name), attributes: pairs)
  }

  static let onEnd: XML_EndElementHandler = { context, name in
    guard let reading = Reading.of(context), !reading.pointee.isStopped, let name else { return }
    reading.pointee.depth -= 1
    reading.pointee.handler.end(String(cString: name))
  }

  static let onText: XML_CharacterDataHandler = { context, bytes, count in
    guard let reading = Reading.of(context), !reading.pointee.isStopped, let bytes else { return }
    let piece = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    reading.pointee.handler.text(String(decoding: piece, as: UTF8.self))
  }

  /// Called before the first declaration of an internal subset is looked at.
  static let onDoctype: XML_StartDoctypeDeclHandler = { context, _, _, _, hasInternalSubset in
    if hasInternalSubset != 0 { Reading.of(context)?.pointee.stop() }
  }
}

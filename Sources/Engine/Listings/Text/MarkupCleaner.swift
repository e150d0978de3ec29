import Framing

/// Turns nearly valid XML into XML, byte by byte, and drops markup that feeds do not need.
///
/// Escapes a bare "&" or "<", decodes HTML's entities, closes open elements with their parent and drops stray end tags.
/// Removes comments, processing instructions, the DOCTYPE with its declarations, and text outside the root element.
/// Line ends remain, so that line numbers stay correct.
struct MarkupCleaner {
  /// Limits in bytes: a longer name becomes text, a longer tag ends the document.
  private static let maxNameLength = 128
  private static let maxTagLength = 32 << 10

  private enum State {
    case text
    /// After "&"; `held` has the bytes since then.
    case reference(quote: UInt8?)
    case opening
    /// After "<!"; `held` has the bytes since then.
    case declaration
    /// In a DOCTYPE or another declaration; `isInside`: after "[" and before "]".
    case doctype(isInside: Bool)
    case instruction
    /// In a comment; `dashes` counts the last consecutive "-".
    case comment(dashes: Int)
    /// In a CDATA section; `brackets` counts the last consecutive "]".
    case data(brackets: Int)
    /// In the name of a start tag, collected in `held`.
    case name
    /// In a start tag after its name; `isEmpty`: the last byte was "/".
    case tag(isEmpty: Bool)
    case value(quote: UInt8)
    /// In an end tag, with its name in `held`.
    case endTag
  }

  private var cleaned: [UInt8] = []
  /// True after the root element or an oversized tag.
  private(set) var isOver = false
  private var state = State.text
  private var held: [UInt8] = []
  private var open: [[UInt8]] = []
  private var openInSmall: [[UInt8]] = []
  private var tagLength = 0

  mutating func release() -> [UInt8] {
    defer { cleaned = [] }
    return cleaned
  }

  /// Processes the next byte of UTF-8 without characters that XML forbids.
  mutating func process(_ byte: UInt8) {
    guard !isOver else { return }
    switch state {
    case .text: processText(byte)
    case .reference(let quote): processReference(byte, quote)
    case .opening: processOpening(byte)
    case .declaration: processDeclaration(byte)
    case .doctype(let isInside): processDoctype(byte, isInside)
    case .instruction: drop(byte, endsAt: byte == UInt8(ascii: ">"))
    case .comment(let dashes):
      state = .comment(dashes: byte == UInt8(ascii: "-") ? dashes + 1 : 0)
      drop(byte, endsAt: dashes >= 2 && byte == UInt8(ascii: ">"))
    case .data(let brackets): processData(byte, brackets)
    case .name: processName(byte)
    case .tag(let isEmpty): processTag(byte, isEmpty)
    case .value(let quote): processValue(byte, quote)
    case .endTag: processEndTag(byte)
    }
  }

  // MARK: Text

  private mutating func processText(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"): state = .opening
    case UInt8(ascii: "&"): state = .reference(quote: nil)
    case UInt8(ascii: ">"): write("&gt;")
    default: write(byte)
    }
  }

  private mutating func processReference(_ byte: UInt8, _ quote: UInt8?) {
    guard quote == nil || isTagShort else { return }
    if byte.isNameByte || byte == UInt8(ascii: "#"), held.count < CharacterReference.maxNameLength {
      return held.append(byte)
    }
    state = quote.map { .value(quote: $0) } ?? .text
    let name = held
    held = []
    if byte == UInt8(ascii: ";"), let scalar = CharacterReference.scalar(name) {
      return scalar.isXml ? write(character: scalar) : ()
    }
    write("&amp;")
    for byte in name { write(byte) }
    process(byte)
  }

  /// Appends to text or to a value. Drops text outside the root element, except line ends.
  private mutating func write(_ byte: UInt8) {
    if !open.isEmpty || byte == UInt8(ascii: "\n") { cleaned.append(byte) }
  }

  private mutating func write(_ text: StaticString) {
    guard !open.isEmpty else { return }
    text.withUTF8Buffer { cleaned += $0 }
  }

  private mutating func write(character scalar: Unicode.Scalar) {
    if scalar.isASCII, !UInt8(scalar.value).isNameByte {
      write("&#")
      for byte in String(scalar.value).utf8 { write(byte) }
      write(";")
    } else {
      for byte in UTF8.encode(scalar) ?? .init() { write(byte) }
    }
  }

  // MARK: Dropped markup

  private mutating func drop(_ byte: UInt8, endsAt isEnd: Bool) {
    if byte == UInt8(ascii: "\n") { cleaned.append(byte) }
    if isEnd { state = .text }
  }

  private mutating func processDeclaration(_ byte: UInt8) {
    held.append(byte)
    if held == Array("--".utf8) {
      (state, held) = (.comment(dashes: 0), [])
    } else if held == Array("[CDATA[".utf8) {
      (state, held) = (.data(brackets: 0), [])
      write("<![CDATA[")
    } else if !"--".utf8.starts(with: held), !"[CDATA[".utf8.starts(with: held) {
      let bytes = held
      (state, held) = (.doctype(isInside: false), [])
      for byte in bytes { process(byte) }
    }
  }

  private mutating func processDoctype(_ byte: UInt8, _ isInside: Bool) {
    switch byte {
    case UInt8(ascii: "["): state = .doctype(isInside: true)
    case UInt8(ascii: "]"): state = .doctype(isInside: false)
    default: drop(byte, endsAt: byte == UInt8(ascii: ">") && !isInside)
    }
  }

  private mutating func processData(_ byte: UInt8, _ brackets: Int) {
    write(byte)
    let isEnd = byte == UInt8(ascii: ">") && brackets >= 2
    state = isEnd ? .text : .data(brackets: byte == UInt8(ascii: "]") ? brackets + 1 : 0)
  }

  // MARK: Tags

  private mutating func processOpening(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "!"): state = .declaration
    case UInt8(ascii: "?"): state = .instruction
    case UInt8(ascii: "/"): state = .endTag
    case _ where byte.startsName:
      state = .name
      held = [byte]
    default:
      state = .text
      write("&lt;")
      process(byte)
    }
  }

  private mutating func processName(_ byte: UInt8) {
    if byte.isNameByte, held.count < Self.maxNameLength { return held.append(byte) }
    let name = held
    held = []
    guard byte.endsName else {
      // Text such as <someone@somewhere.example>.
      state = .text
      write("&lt;")
      for byte in name { write(byte) }
      return process(byte)
    }
    open.append(name)
    openInSmall.append(name.map(\.asciiLowercased))
    state = .tag(isEmpty: false)
    tagLength = 0
    cleaned.append(UInt8(ascii: "<"))
    cleaned += name
    process(byte)
  }

  private mutating func processTag(_ byte: UInt8, _ isEmpty: Bool) {
    guard isTagShort else { return }
    cleaned.append(byte)
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .value(quote: byte)
    case UInt8(ascii: ">"):
      state = .text
      if isEmpty { close(1) }
    default: state = .tag(isEmpty: byte == UInt8(ascii: "/"))
    }
  }

  private mutating func processValue(_ byte: UInt8, _ quote: UInt8) {
    guard isTagShort else { return }
    switch byte {
    case quote:
      cleaned.append(byte)
      state = .tag(isEmpty: false)
    case UInt8(ascii: "<"): write("&lt;")
    case UInt8(ascii: "&"): state = .reference(quote: quote)
    default: cleaned.append(byte)
    }
  }

  /// Counts a byte; above the limit, ends the document and returns false, because expat buffers a whole tag.
  private var isTagShort: Bool {
    mutating get {
      tagLength += 1
      isOver = tagLength > Self.maxTagLength
      return !isOver
    }
  }

  private mutating func processEndTag(_ byte: UInt8) {
    guard byte == UInt8(ascii: ">") else {
      if held.count <= Self.maxNameLength { held.append(byte) }
      return drop(byte, endsAt: false)
    }
    let name = held.prefix(while: \.isNameByte)
    (state, held) = (.text, [])
    let small = name.map(\.asciiLowercased)
    guard let place = openInSmall.lastIndex(of: small) else { return }
    for name in open[place...].reversed() {
      write("</")
      cleaned += name
      cleaned.append(UInt8(ascii: ">"))
    }
    close(open.count - place)
  }

  private mutating func close(_ count: Int) {
    open.removeLast(count)
    openInSmall.removeLast(count)
    isOver = open.isEmpty
  }
}

extension UInt8 {
  /// True if a name may start with this byte; ASCII only, like the names in all feeds.
  fileprivate var startsName: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= asciiLowercased || self == UInt8(ascii: "_")
  }

  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: startsName
    }
  }

  fileprivate var endsName: Bool {
    switch self {
    case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "/"), UInt8(ascii: ">"): true
    default: false
    }
  }
}

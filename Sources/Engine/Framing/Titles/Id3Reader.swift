/// Title and artist from the ID3v2 tag at the start of a file (2.2, 2.3 or 2.4), parsed as the bytes arrive. Long
/// frames, such as pictures, are skipped and never buffered. At most 2 KiB of a text are retained.
public struct Id3Reader {
  /// The title; nil if not found yet.
  public private(set) var title: String?
  /// The artist; nil if not found yet.
  public private(set) var artist: String?
  /// True if all further bytes are ignored.
  public var isFinished: Bool { if case .over = part { true } else { false } }

  private enum Part {
    case header, extended, frame, over
    case body(left: Int, isKept: Bool)
  }

  private var part = Part.header
  private var gathered: [UInt8] = []
  private var version: UInt8 = 0
  private var remainingByteCount = 10
  /// True if a zero follows each 0xFF in the whole tag (unsynchronisation; 2.2, 2.3).
  private var isUnsynchronised = false
  private var followsFF = false
  private var frame = Frame()

  private struct Frame {
    enum Kind { case title, artist, other }
    var kind = Kind.other
    var byteCount = 0
    var prefixByteCount = 0
    /// True if a zero follows each 0xFF in this frame (unsynchronisation; 2.4).
    var isUnsynchronised = false
  }

  private static let maxTextByteCount = 2_048

  /// Creates a reader for the start of a file.
  public init() {}

  /// Processes the next bytes.
  public mutating func append(_ bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count, !isFinished {
      if remainingByteCount == 0 { return end() }
      if case .body(let count, false) = part, !isUnsynchronised {
        let passed = min(count, bytes.count - index, remainingByteCount)
        index += passed
        remainingByteCount -= passed
        part = count == passed ? .frame : .body(left: count - passed, isKept: false)
        continue
      }
      let byte = bytes[index]
      index += 1
      remainingByteCount -= 1
      defer { followsFF = byte == 0xFF }
      if isUnsynchronised, followsFF, byte == 0 { continue }
      process(byte)
    }
    if remainingByteCount == 0 { end() }
  }

  /// Ends the tag; further bytes are ignored.
  public mutating func end() {
    part = .over
    gathered = []
  }

  private mutating func process(_ byte: UInt8) {
    if case .body(let count, let isKept) = part {
      if isKept, gathered.count < Self.maxTextByteCount { gathered.append(byte) }
      part = .body(left: count - 1, isKept: isKept)
      if count == 1 { finishBody() }
      return
    }
    gathered.append(byte)
    switch part {
    case .header: if gathered.count == 10 { readHeader() }
    case .extended: if gathered.count == 4 { readExtended() }
    case .frame: if gathered.count == (version == 2 ? 6 : 10) { readFrame() }
    case .body, .over: break
    }
  }

  private mutating func readHeader() {
    let head = gathered
    gathered = []
    guard head[0] == UInt8(ascii: "I"), head[1] == UInt8(ascii: "D"), head[2] == UInt8(ascii: "3"),
      (2...4).contains(head[3]), let size = head.span.syncsafe(at: 6)
    else { return end() }
    (version, remainingByteCount) = (head[3], size)
    // A tag of 2.2 may be compressed as a whole, in an undocumented format.
    if version == 2, head[5] & 0x40 != 0 { return end() }
    isUnsynchronised = version < 4 && head[5] & 0x80 != 0
    part = version > 2 && head[5] & 0x40 != 0 ? .extended : .frame
  }

  /// In 2.4 the size includes its own four bytes.
  private mutating func readExtended() {
    let size = version == 4 ? (gathered.span.syncsafe(at: 0) ?? 0) - 4 : Self.number(gathered[0..<4])
    gathered = []
    guard size >= 0 else { return end() }
    frame = Frame()
    part = size == 0 ? .frame : .body(left: size, isKept: false)
  }

  private mutating func readFrame() {
    let head = gathered
    gathered = []
    if version > 2, head[3] == 0 || head[3] == UInt8(ascii: " ") { return readShortName(head) }
    let isOld = version == 2
    let name = head[0..<(isOld ? 3 : 4)]
    guard name.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else { return end() }
    let size = head[(isOld ? 3 : 4)..<(isOld ? 6 : 8)]
    // Some programs write the sizes of 2.4 in the format of 2.3.
    let byteCount = (version == 4 ? head.span.syncsafe(at: 4) : nil) ?? Self.number(size)
    beginFrame(name, byteCount)
    if !isOld { readFlags(head[9]) }
    if byteCount == 0 { return part = .frame }
    part = .body(left: byteCount, isKept: frame.kind != .other)
  }

  /// Reads a frame of 2.2 in a later tag. Some programs pad the name and write the later header, others write the
  /// header of 2.2: the size that fits into the tag decides.
  private mutating func readShortName(_ head: [UInt8]) {
    let name = head[0..<3]
    guard name.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else { return end() }
    let padded = (version == 4 ? head.span.syncsafe(at: 4) : nil) ?? Self.number(head[4..<8])
    let short = Self.number(head[3..<6])
    if padded <= remainingByteCount {
      beginFrame(name, padded)
      readFlags(head[9])
      return part = padded == 0 ? .frame : .body(left: padded, isKept: frame.kind != .other)
    }
    // Four bytes of the body are in the header of a later version.
    guard head[3] == 0, short >= 4 else { return end() }
    beginFrame(name, short)
    part = .body(left: short - 4, isKept: frame.kind != .other)
    if frame.kind != .other { gathered = Array(head[6...]) }
    if short == 4 { finishBody() }
  }

  private mutating func beginFrame(_ name: ArraySlice<UInt8>, _ byteCount: Int) {
    frame = Frame()
    frame.byteCount = byteCount
    switch String(decoding: name, as: UTF8.self) {
    case "TIT2", "TT2": frame.kind = title == nil ? .title : .other
    case "TPE1", "TP1": frame.kind = artist == nil ? .artist : .other
    default: break
    }
  }

  /// Compressed and encrypted texts are skipped.
  private mutating func readFlags(_ flags: UInt8) {
    let (hidden, grouped): (UInt8, UInt8) = version == 4 ? (0x0C, 0x40) : (0xC0, 0x20)
    if flags & hidden != 0 { frame.kind = .other }
    if flags & grouped != 0 { frame.prefixByteCount += 1 }
    guard version == 4 else { return }
    if flags & 0x01 != 0 { frame.prefixByteCount += 4 }
    frame.isUnsynchronised = flags & 0x02 != 0
  }

  private mutating func finishBody() {
    part = .frame
    defer { gathered = [] }
    guard frame.kind != .other, gathered.count > frame.prefixByteCount else { return }
    var bytes = Array(gathered.dropFirst(frame.prefixByteCount))
    if frame.isUnsynchronised { bytes = Self.unstuffed(bytes) }
    let text = Self.text(bytes)
    guard !text.isEmpty else { return }
    if frame.kind == .title { title = text } else { artist = text }
    if title != nil, artist != nil { end() }
  }

  private static func unstuffed(_ bytes: [UInt8]) -> [UInt8] {
    bytes.indices.filter { $0 == 0 || bytes[$0] != 0 || bytes[$0 - 1] != 0xFF }.map { bytes[$0] }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// A byte for the encoding, then values separated by zeros.
  private static func text(_ bytes: [UInt8]) -> String {
    let body = Array(bytes.dropFirst())
    let text: String
    switch bytes.first {
    case 1:
      let isMarked = body.count >= 2 && (body[0] == 0xFF && body[1] == 0xFE || body[0] == 0xFE && body[1] == 0xFF)
      text = MetadataText.decode(((isMarked ? [] : [0xFF, 0xFE]) + body).span)
    case 2: text = MetadataText.decode(([0xFE, 0xFF] + body).span)
    default: text = MetadataText.decode(body.span)
    }
    let values = text.unicodeScalars.split(separator: "\0").map { DisplayText.clean(String($0), characterLimit: 256) }
    return values.filter { !$0.isEmpty }.prefix(4).joined(separator: ", ")
  }

  /// Returns title and artist from the ID3v1 tag at the end of a file; nil if the tag is missing or both are empty.
  public static func parseLastTag(in tail: Span<UInt8>) -> (title: String?, artist: String?)? {
    let start = tail.count - 128
    guard start >= 0, tail[start] == 0x54, tail[start + 1] == 0x41, tail[start + 2] == 0x47 else { return nil }
    let (title, artist) = (field(tail, at: start + 3), field(tail, at: start + 33))
    return title == nil && artist == nil ? nil : (title, artist)
  }

  private static func field(_ tail: Span<UInt8>, at start: Int) -> String? {
    var bytes: [UInt8] = []
    for index in start..<start + 30 {
      if tail[index] == 0 { break }
      bytes.append(tail[index])
    }
    let text = DisplayText.clean(MetadataText.decode(bytes.span))
    return text.isEmpty ? nil : text
  }
}

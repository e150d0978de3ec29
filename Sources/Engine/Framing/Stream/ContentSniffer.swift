/// Detects the kind of content from its first bytes. If these are ambiguous, the Content-Type decides, then the path.
public enum ContentSniffer {
  /// Maximum number of bytes needed for a decision.
  public static var maxHeadByteCount: Int { 4096 }

  private static var minHeadByteCount: Int { 16 }

  /// Returns the kind of content that starts with `head`; nil if more bytes are needed, at most `maxHeadByteCount`.
  /// `isWhole` is true if no bytes follow, `contentType` is the unparsed header value, `path` the path of the URL.
  public static func sniff(
    _ head: Span<UInt8>, isWhole: Bool, contentType: String?, path: String?
  ) -> ContentKind? {
    let isFull = head.count >= maxHeadByteCount
    let bytes = head.extracting(0..<min(head.count, maxHeadByteCount))
    let mustDecide = isWhole || isFull
    if bytes.isEmpty { return isWhole ? .empty : nil }
    guard mustDecide || bytes.count >= minHeadByteCount else { return nil }

    if let text = HeadText(marked: bytes) {
      return text.kind(mustDecide: mustDecide, contentType: contentType, path: path)
    }
    switch Signature(bytes, mustDecide: mustDecide) {
    case .kind(let kind): return kind
    case .cut: return nil
    case .none: break
    }
    if hasPackets(bytes, isWhole: isWhole && !isFull) { return .audio }
    let text = HeadText(plain: bytes)
    if text.isText || text.hasSignature {
      return text.kind(mustDecide: mustDecide, contentType: contentType, path: path)
    }
    if let kind = Signature.detectJoined(bytes) { return kind }
    return classifyBinary(
      mustDecide: mustDecide, ContentHint(contentType: contentType), contentType: contentType, path: path)
  }

  /// Returns the container of a stream that was joined at any byte; nil if unknown. For streams in which no packet was
  /// found: call again when more bytes arrive, with at most `maxHeadByteCount` bytes.
  public static func detectJoined(_ bytes: Span<UInt8>) -> ContentKind? { Signature.detectJoined(bytes) }

  /// Returns the kind that an unparsed Content-Type header names, else a path's extension, else `.unknown`.
  public static func declaredKind(contentType: String?, path: String?) -> ContentKind {
    for hint in [ContentHint(contentType: contentType), ContentHint(path: path)] {
      switch hint {
      case .audio: return .audio
      case .playlist(let kind): return .playlist(kind)
      case .container(let form): return .container(form)
      case .refused(let kind): return .refused(kind)
      case .none: continue
      }
    }
    return .unknown
  }

  /// Unknown binary data is audio joined within a packet, unless the header or the path names another kind.
  private static func classifyBinary(
    mustDecide: Bool, _ hint: ContentHint, contentType: String?, path: String?
  ) -> ContentKind? {
    let type = contentType.flatMap(ContentType.parse)
    switch hint {
    case .playlist(.feed): break
    case .audio, .playlist: return .audio
    case .container(let form): return mustDecide ? joinedKind(form) : nil
    case .refused(let kind) where kind != .html: return mustDecide ? .refused(kind) : nil
    case .refused, .none: break
    }
    let tellsNothing = type == nil || type == "application/octet-stream"
    switch ContentHint(path: path) {
    case .audio, .playlist: return tellsNothing || mustDecide ? .audio : nil
    case .container(let form) where tellsNothing: return mustDecide ? joinedKind(form) : nil
    case .refused(let kind) where tellsNothing && kind != .html: return mustDecide ? .refused(kind) : nil
    case .container, .refused, .none: return tellsNothing ? .audio : mustDecide ? .unknown : nil
    }
  }

  /// Only the header of a WAV or AIFF file describes its samples.
  private static func joinedKind(_ form: StreamContainer) -> ContentKind {
    switch form {
    case .wav: .refused(.wav)
    case .aiff: .unknown
    default: .container(form)
    }
  }

  private static func hasPackets(_ bytes: Span<UInt8>, isWhole: Bool) -> Bool {
    for offset in 0..<bytes.count where bytes[offset] == 0xFF {
      guard case .found(let header) = PacketHeader.search(bytes, at: offset) else { continue }
      let row = offset == 0 ? HeaderRow.atBorder : .sniffed(header)
      // Reaching the end of the bytes proves only a packet at the very beginning.
      let proof = PacketProof.byItself(bytes, at: offset, header, row, isFinal: isWhole && offset == 0)
      if case .proven = proof { return true }
    }
    return false
  }
}

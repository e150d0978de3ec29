/// Tells what has come, from its first bytes; where they leave it open from its Content-Type, then from its path.
public enum ContentSniffer {
  /// The most bytes that a decision takes.
  public static var longestHead: Int { 4096 }

  /// Fewer bytes than this decide nothing, unless no more come.
  private static var shortestHead: Int { 16 }

  /// What begins with `head`; nil while more bytes are needed, of which `longestHead` always suffice.
  ///
  /// `isWhole` says that nothing follows. `contentType` is the header's value as it came, `path` that of the URL.
  public static func sniff(
    _ head: Span<UInt8>, isWhole: Bool, contentType: String?, path: String?
  ) -> ContentKind? {
    let isFull = head.count >= longestHead
    let bytes = head.extracting(0..<min(head.count, longestHead))
    let mustDecide = isWhole || isFull
    if bytes.isEmpty { return isWhole ? .empty : nil }
    guard mustDecide || bytes.count >= shortestHead else { return nil }

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
    if let kind = Signature.joined(bytes) { return kind }
    return binary(mustDecide: mustDecide, ContentHint(contentType: contentType), contentType: contentType, path: path)
  }

  /// What other than packets shows in bytes that were joined anywhere; nil where nothing does. A stream in which no
  /// packet was found yet is asked again as more of it comes, with `longestHead` bytes at most.
  public static func joined(_ bytes: Span<UInt8>) -> ContentKind? { Signature.joined(bytes) }

  /// What a Content-Type header, as it came, or else a path's extension promises; `.unknown` where it is nothing known.
  public static func promise(contentType: String?, path: String?) -> ContentKind {
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

  /// Bytes that are neither text nor known: audio joined in mid-packet, unless the header, or else the path, names
  /// something different.
  private static func binary(
    mustDecide: Bool, _ hint: ContentHint, contentType: String?, path: String?
  ) -> ContentKind? {
    let type = contentType.flatMap(ContentType.parse)
    switch hint {
    case .playlist(.feed): break
    case .audio, .playlist: return .audio
    case .container(let form): return mustDecide ? joined(form) : nil
    case .refused(let kind) where kind != .html: return mustDecide ? .refused(kind) : nil
    case .refused, .none: break
    }
    let tellsNothing = type == nil || type == "application/octet-stream"
    switch ContentHint(path: path) {
    case .audio, .playlist: return tellsNothing || mustDecide ? .audio : nil
    case .container(let form) where tellsNothing: return mustDecide ? joined(form) : nil
    case .refused(let kind) where tellsNothing && kind != .html: return mustDecide ? .refused(kind) : nil
    case .container, .refused, .none: return tellsNothing ? .audio : mustDecide ? .unknown : nil
    }
  }

  /// What promises to be in a container, and does not begin as it does: a WAV file tells at its beginning alone what
  /// its samples are.
  private static func joined(_ form: StreamContainer) -> ContentKind {
    form == .wav ? .refused(.wav) : .container(form)
  }

  /// Whether a packet of MPEG audio or ADTS proves itself anywhere.
  private static func hasPackets(_ bytes: Span<UInt8>, isWhole: Bool) -> Bool {
    for offset in 0..<bytes.count where bytes[offset] == 0xFF {
      guard case .found(let header) = PacketHeader.search(bytes, at: offset) else { continue }
      // Only at the very beginning does the end of all bytes prove a packet.
      let proof = PacketProof.byItself(
        bytes, at: offset, header, links: 1, isFinal: isWhole && offset == 0)
      if case .proven = proof { return true }
    }
    return false
  }
}

enum PositionContent: BitwiseCopyable {
  case packet(PacketHeader)
  case tag(MetadataTag)
  /// The stream ends here, or leaves no room for a packet.
  case end
  case nothing
  case unknown

  init(_ bytes: Span<UInt8>, at offset: Int, isFinal: Bool) {
    let count = bytes.count - offset
    if count <= 0 {
      self = !isFinal ? .unknown : count == 0 ? .end : .nothing
      return
    }
    let cut: PositionContent = !isFinal ? .unknown : count < 7 ? .end : .nothing
    switch PacketHeader.search(bytes, at: offset) {
    case .found(let header): self = .packet(header)
    case .cut: self = cut
    case .nothing:
      switch MetadataTag.search(bytes, at: offset) {
      case .found(let tag): self = .tag(tag)
      case .cut: self = cut
      case .nothing: self = isFinal && count < MpegHeader.byteCount ? .end : .nothing
      }
    }
  }
}

struct ProvenFormat: BitwiseCopyable {
  var header: PacketHeader
  /// Length of a free-format packet without padding, in bytes; nil for other formats.
  var freeByteCount: Int?
}

/// Verdict on a packet candidate. A header alone proves nothing; the bytes after the packet decide.
enum PacketProof: BitwiseCopyable {
  case proven(byteCount: Int)
  /// A whole packet of a known format, without a packet, tag or stream end after it.
  case unfollowed(byteCount: Int)
  case refuted
  case undecided

  /// Judges a packet at `offset` by the matching headers after it. A tag or the end of the stream completes the row
  /// early, after a search only with `HeaderRow.minLinks` headers. A false header often reaches exactly to the end.
  static func byItself(
    _ bytes: Span<UInt8>, at offset: Int, _ header: PacketHeader, _ row: HeaderRow, isFinal: Bool
  ) -> PacketProof {
    let first = length(bytes, at: offset, header, known: nil, isFinal: isFinal)
    guard case .proven(let byteCount) = first else { return first }
    let format = ProvenFormat(header: header, freeByteCount: byteCount - header.paddingByteCount)
    var place = offset + byteCount
    for link in 1...max(1, row.links) {
      switch PositionContent(bytes, at: place, isFinal: isFinal) {
      case .packet(let next) where row.matches(next, header):
        guard link < row.links, link < row.minLinks || place - offset < HeaderRow.enoughByteCount else { break }
        // A longer packet is never delivered, and its successor may lie outside the framer's buffer.
        guard let step = format.byteCount(of: next), next.allows(step) else { return .refuted }
        // The stream may end within this packet, before a further header.
        place += step
        if isFinal, place > bytes.count { return link >= row.minLinks ? .proven(byteCount: byteCount) : .refuted }
        continue
      case .end where link < row.minLinks: return .refuted
      case .tag, .end: break
      case .packet, .nothing: return .refuted
      case .unknown: return .undecided
      }
      break
    }
    return .proven(byteCount: byteCount)
  }

  /// Judges a packet after proven packets. Another format, a tag or the end of the stream may follow it.
  static func atBorder(
    _ bytes: Span<UInt8>, _ header: PacketHeader, known: ProvenFormat, isFinal: Bool
  ) -> PacketProof {
    let whole = length(bytes, at: 0, header, known: known, isFinal: isFinal)
    guard case .proven(let byteCount) = whole else { return whole }
    switch PositionContent(bytes, at: byteCount, isFinal: isFinal) {
    case .packet(let next) where next.agrees(with: header): return whole
    case .packet(let next):
      let change = byItself(bytes, at: byteCount, next, .atBorder, isFinal: isFinal)
      return switch change {
      case .proven: whole
      case .undecided: .undecided
      case .unfollowed, .refuted: .unfollowed(byteCount: byteCount)
      }
    case .tag, .end: return whole
    case .nothing: return .unfollowed(byteCount: byteCount)
    case .unknown: return .undecided
    }
  }

  private static func length(
    _ bytes: Span<UInt8>, at offset: Int, _ header: PacketHeader, known: ProvenFormat?, isFinal: Bool
  ) -> PacketProof {
    let byteCount: Int
    if let told = header.byteCount ?? known?.byteCount(of: header) {
      byteCount = told
    } else {
      return freeLength(bytes, at: offset, header, isFinal: isFinal)
    }
    guard header.allows(byteCount) else { return .refuted }
    guard offset + byteCount <= bytes.count else { return isFinal ? .refuted : .undecided }
    return header.isFiller(bytes, at: offset) ? .refuted : .proven(byteCount: byteCount)
  }

  /// Measures a free-format packet: the distance to the next matching header, if a third follows at the same distance.
  private static func freeLength(
    _ bytes: Span<UInt8>, at offset: Int, _ header: PacketHeader, isFinal: Bool
  ) -> PacketProof {
    guard !header.isFiller(bytes, at: offset) else { return .refuted }
    let shortest = 24
    for byteCount in shortest...PacketHeader.maxPacketByteCount {
      let place = offset + byteCount
      guard place < bytes.count else { return isFinal ? .refuted : .undecided }
      guard bytes[place] == 0xFF else { continue }
      switch PacketHeader.search(bytes, at: place) {
      case .found(let next) where next.agrees(with: header):
        let step = byteCount - header.paddingByteCount + next.paddingByteCount
        switch PositionContent(bytes, at: place + step, isFinal: isFinal) {
        case .packet(let third) where third.agrees(with: header): return .proven(byteCount: byteCount)
        case .tag, .end: return .proven(byteCount: byteCount)
        case .unknown: return .undecided
        case .packet, .nothing: continue
        }
      case .cut: return isFinal ? .refuted : .undecided
      case .found, .nothing: continue
      }
    }
    return .refuted
  }
}

extension ProvenFormat {
  func byteCount(of header: PacketHeader) -> Int? {
    guard header.agrees(with: self.header) else { return nil }
    return header.byteCount ?? freeByteCount.map { $0 + header.paddingByteCount }
  }
}

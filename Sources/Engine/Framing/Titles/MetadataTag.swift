/// A tag between packets. The exact length is known, so the tag is skipped and never searched for headers.
struct MetadataTag: Equatable, BitwiseCopyable {
  var byteCount: Int
  var isFollowedByLyrics = false

  enum Search: BitwiseCopyable {
    case found(MetadataTag)
    case nothing
    case cut
  }

  /// Maximum length of a tag in bytes: the limit of ID3v2.
  static var maxByteCount: Int { 1 << 28 + 20 }

  static func search(_ bytes: Span<UInt8>, at offset: Int) -> Search {
    guard offset < bytes.count else { return .cut }
    return switch bytes[offset] {
    case UInt8(ascii: "I"): id3v2(bytes, at: offset)
    case UInt8(ascii: "A"): ape(bytes, at: offset)
    case UInt8(ascii: "T"): bytes.search("TAG", at: offset, then: MetadataTag(byteCount: 128))
    case UInt8(ascii: "L"):
      bytes.search("LYRICSBEGIN", at: offset, then: MetadataTag(byteCount: 11, isFollowedByLyrics: true))
    default: .nothing
    }
  }

  /// Fields have three letters, five digits and text. The block ends with six digits and a magic number.
  static func lyricsField(_ bytes: Span<UInt8>) -> Search {
    guard bytes.count >= 15 else { return .cut }
    if let size = bytes.decimal(3..<8), (0..<3).allSatisfy({ (0x41...0x5A).contains(bytes[$0]) }) {
      return .found(MetadataTag(byteCount: 8 + size, isFollowedByLyrics: true))
    }
    guard bytes.decimal(0..<6) != nil else { return .nothing }
    return bytes.search("LYRICS200", at: 6, then: MetadataTag(byteCount: 15))
  }

  /// ID3v2.2 … 2.4 ("ID3v2 header" in the informal standard): a size in 7-bit bytes, and an optional footer.
  private static func id3v2(_ bytes: Span<UInt8>, at offset: Int) -> Search {
    let search = bytes.search("ID3", at: offset, then: MetadataTag(byteCount: 10))
    guard case .found = search else { return search }
    guard bytes.count - offset >= 10 else { return .cut }
    let version = bytes[offset + 3]
    guard (2...4).contains(version), bytes[offset + 4] != 0xFF, let size = bytes.syncsafe(at: offset + 6) else {
      return .nothing
    }
    let hasFooter = version == 4 && bytes[offset + 5] & 0x10 != 0
    return .found(MetadataTag(byteCount: 10 + size + (hasFooter ? 10 : 0)))
  }

  /// APEv1 and v2: a header states the length of the tag; a footer without a header is skipped alone.
  private static func ape(_ bytes: Span<UInt8>, at offset: Int) -> Search {
    let search = bytes.search("APETAGEX", at: offset, then: MetadataTag(byteCount: 32))
    guard case .found = search else { return search }
    guard bytes.count - offset >= 32 else { return .cut }
    let isHeader = bytes[offset + 23] & 0x20 != 0
    guard isHeader else { return search }
    let size = (0..<4).reduce(0) { $0 | Int(bytes[offset + 12 + $1]) << (8 * $1) }
    return size <= maxByteCount ? .found(MetadataTag(byteCount: 32 + size)) : .nothing
  }
}

extension Span<UInt8> {
  fileprivate func search(_ magic: String, at offset: Int, then tag: MetadataTag) -> MetadataTag.Search {
    var index = offset
    for byte in magic.utf8 {
      guard index < count else { return .cut }
      guard self[index] == byte else { return .nothing }
      index += 1
    }
    return .found(tag)
  }

  fileprivate func decimal(_ range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      guard (0x30...0x39).contains(self[index]) else { return nil }
      value = value * 10 + Int(self[index] - 0x30)
    }
    return value
  }
}

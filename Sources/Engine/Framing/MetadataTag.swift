/// A tag between packets, by its exact length: it is skipped, never searched for headers.
struct MetadataTag: Equatable, BitwiseCopyable {
  /// Its bytes from first to last.
  var byteCount: Int
  /// A field of a Lyrics3v2 block follows it.
  var leadsToLyrics = false

  /// What a look for a tag found.
  enum Search: BitwiseCopyable {
    case found(MetadataTag)
    case nothing
    case cut
  }

  /// The longest tag that is believed, in bytes: what ID3v2 can say.
  static var longest: Int { 1 << 28 + 20 }

  /// Looks for ID3v2, ID3v1, APE or Lyrics3v2 at `offset`; `cut` where the bytes there end too early to tell.
  static func search(_ bytes: Span<UInt8>, at offset: Int) -> Search {
    guard offset < bytes.count else { return .cut }
    return switch bytes[offset] {
    case UInt8(ascii: "I"): id3v2(bytes, at: offset)
    case UInt8(ascii: "A"): ape(bytes, at: offset)
    case UInt8(ascii: "T"): bytes.search("TAG", at: offset, then: MetadataTag(byteCount: 128))
    case UInt8(ascii: "L"):
      bytes.search("LYRICSBEGIN", at: offset, then: MetadataTag(byteCount: 11, leadsToLyrics: true))
    default: .nothing
    }
  }

  /// Looks for a field of Lyrics3v2 (three letters, five digits, text), or for the block's end (six digits, magic).
  static func lyricsField(_ bytes: Span<UInt8>) -> Search {
    guard bytes.count >= 15 else { return .cut }
    if let size = bytes.decimal(3..<8), (0..<3).allSatisfy({ (0x41...0x5A).contains(bytes[$0]) }) {
      return .found(MetadataTag(byteCount: 8 + size, leadsToLyrics: true))
    }
    guard bytes.decimal(0..<6) != nil else { return .nothing }
    return bytes.search("LYRICS200", at: 6, then: MetadataTag(byteCount: 15))
  }

  /// ID3v2.2 … 2.4, "ID3v2 header" of the informal standard: a size in 7-bit bytes, a footer if flagged.
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

  /// APEv1 and v2: a header tells what follows; a footer without one is only itself.
  private static func ape(_ bytes: Span<UInt8>, at offset: Int) -> Search {
    let search = bytes.search("APETAGEX", at: offset, then: MetadataTag(byteCount: 32))
    guard case .found = search else { return search }
    guard bytes.count - offset >= 32 else { return .cut }
    let isHeader = bytes[offset + 23] & 0x20 != 0
    guard isHeader else { return search }
    let size = (0..<4).reduce(0) { $0 | Int(bytes[offset + 12 + $1]) << (8 * $1) }
    return size <= longest ? .found(MetadataTag(byteCount: 32 + size)) : .nothing
  }
}

extension Span<UInt8> {
  /// `tag` where `magic` stands at `offset`, `cut` where only its beginning is there.
  fileprivate func search(_ magic: String, at offset: Int, then tag: MetadataTag) -> MetadataTag.Search {
    var index = offset
    for byte in magic.utf8 {
      guard index < count else { return .cut }
      guard self[index] == byte else { return .nothing }
      index += 1
    }
    return .found(tag)
  }

  /// The number in these digits; nil where one is none.
  fileprivate func decimal(_ range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      guard (0x30...0x39).contains(self[index]) else { return nil }
      value = value * 10 + Int(self[index] - 0x30)
    }
    return value
  }
}

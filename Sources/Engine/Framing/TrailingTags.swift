/// The tags behind the last packet of a file: ID3v1, APE, Lyrics3v2, in any order and number.
public enum TrailingTags {
  /// So many of a file's last bytes tell of the tags that most files have.
  public static var tailByteCount: Int { 512 }

  /// Bytes of the tags that end with `tail`, the last bytes of a file; more than `tail` has where one begins before it.
  public static func byteCount(in tail: Span<UInt8>) -> Int {
    var count = 0
    // Each tag tells where the one before it ends.
    for _ in 0..<4 {
      guard count < tail.count, let more = last(tail.extracting(0..<tail.count - count)), more > 0 else { break }
      count += more
    }
    return count
  }

  /// The length of the tag that ends with `bytes`; nil where none does.
  private static func last(_ bytes: Span<UInt8>) -> Int? {
    let end = bytes.count
    if bytes.holds("TAG", at: end - 128) { return 128 }
    if bytes.holds("APETAGEX", at: end - 32) { return ape(bytes, at: end - 32) }
    if bytes.holds("LYRICS200", at: end - 9), end >= 15 {
      var size = 0
      for index in end - 15..<end - 9 {
        guard (0x30...0x39).contains(bytes[index]) else { return nil }
        size = size * 10 + Int(bytes[index] - 0x30)
      }
      return size + 15
    }
    if bytes.holds("3DI", at: end - 10) { return id3v2(bytes, at: end - 10) }
    return nil
  }

  /// A footer counts itself and the items, and says whether a header stands before them.
  private static func ape(_ bytes: Span<UInt8>, at place: Int) -> Int? {
    let size = (0..<4).reduce(0) { $0 | Int(bytes[place + 12 + $1]) << (8 * $1) }
    guard size >= 32, size <= MetadataTag.longest else { return nil }
    return size + (bytes[place + 23] & 0x80 != 0 ? 32 : 0)
  }

  /// ID3v2.4 may stand behind the sound, with a footer that is its header once more.
  private static func id3v2(_ bytes: Span<UInt8>, at place: Int) -> Int? {
    bytes.syncsafe(at: place + 6).map { $0 + 20 }
  }
}

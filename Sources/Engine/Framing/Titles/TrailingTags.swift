/// Tags after the last packet of a file: ID3v1, APE, Lyrics3v2 and ID3v2.4, up to four in any order.
public enum TrailingTags {
  /// Number of bytes at the end of a file that contain the tags of most files.
  public static var tailByteCount: Int { 512 }

  /// Returns the length of the tags that end with `tail`, the last bytes of a file. The length may exceed `tail`.
  public static func byteCount(in tail: Span<UInt8>) -> Int {
    var count = 0
    for _ in 0..<4 {
      guard count < tail.count, let more = lastTagByteCount(tail.extracting(0..<tail.count - count)), more > 0 else {
        break
      }
      count += more
    }
    return count
  }

  private static func lastTagByteCount(_ bytes: Span<UInt8>) -> Int? {
    let end = bytes.count
    if bytes.matches("TAG", at: end - 128) { return 128 }
    if bytes.matches("APETAGEX", at: end - 32) { return ape(bytes, at: end - 32) }
    if bytes.matches("LYRICS200", at: end - 9), end >= 15 {
      var size = 0
      for index in end - 15..<end - 9 {
        guard (0x30...0x39).contains(bytes[index]) else { return nil }
        size = size * 10 + Int(bytes[index] - 0x30)
      }
      return size + 15
    }
    if bytes.matches("3DI", at: end - 10) { return id3v2(bytes, at: end - 10) }
    return nil
  }

  /// An APE footer counts itself and the items; a flag reports a header of 32 bytes before them.
  private static func ape(_ bytes: Span<UInt8>, at place: Int) -> Int? {
    let size = (0..<4).reduce(0) { $0 | Int(bytes[place + 12 + $1]) << (8 * $1) }
    guard size >= 32, size <= MetadataTag.maxByteCount else { return nil }
    return size + (bytes[place + 23] & 0x80 != 0 ? 32 : 0)
  }

  /// The footer of an ID3v2.4 tag repeats its header.
  private static func id3v2(_ bytes: Span<UInt8>, at place: Int) -> Int? {
    bytes.syncsafe(at: place + 6).map { $0 + 20 }
  }
}

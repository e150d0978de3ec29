/// Reads an HLS playlist while it comes (RFC 8216 and its successor, draft-pantos-hls-rfc8216bis), leniently: what
/// cannot be understood is passed over.
///
/// What it keeps has a bound, whatever comes, and of too many segments the newest are kept. Delta updates (EXT-X-SKIP),
/// parts and date ranges are passed over. One thread; linear.
public struct HlsPlaylistReader: ~Copyable {
  /// The longest line, in bytes. A longer tag is passed over, but for the length in EXTINF, and EXT-X-KEY, which then
  /// is a key that cannot be read; a longer address goes with its segment.
  static let lineLimit = 8_192

  private var line: [UInt8] = []
  /// Whether more of the line came than is kept.
  private var isCut = false
  private var builder = HlsPlaylistBuilder()

  /// A reader for one playlist.
  public init() { line.reserveCapacity(Self.lineLimit) }

  /// Reads on; pieces may be cut anywhere.
  public mutating func append(_ bytes: Span<UInt8>) {
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      keep(bytes.extracting(start..<end))
      if end < bytes.count { endLine() }
      start = end + 1
    }
  }

  /// What the playlist says; nothing more comes.
  ///
  /// - Throws: `HlsPlaylistError`: `.empty` where nothing came; `.notPlaylist` where it is something else.
  public consuming func finish() throws(HlsPlaylistError) -> HlsPlaylist {
    endLine()
    return try builder.finish()
  }

  private mutating func keep(_ bytes: Span<UInt8>) {
    let room = Self.lineLimit - line.count
    isCut = isCut || bytes.count > room
    let kept = bytes.extracting(0..<min(room, bytes.count))
    kept.withUnsafeBufferPointer { line.append(contentsOf: $0) }
  }

  private mutating func endLine() {
    guard !line.isEmpty else { return }
    builder.take(line[...], isCut: isCut)
    line.removeAll(keepingCapacity: true)
    isCut = false
  }
}

/// Reads an HLS playlist incrementally (RFC 8216 and draft-pantos-hls-rfc8216bis), skipping unknown text.
///
/// Memory use is bounded for any input; the newest segments remain if there are too many. Delta updates (EXT-X-SKIP),
/// parts and date ranges are skipped. One thread; linear time.
public struct HlsPlaylistReader: ~Copyable {
  /// Maximum length of a line, in bytes. A longer address drops its segment or variant. A longer tag is skipped, with
  /// two exceptions: EXTINF retains its duration, and EXT-X-KEY becomes an unusable key.
  static let lineLimit = 8_192

  private var line: [UInt8] = []
  private var isCut = false
  private var builder = HlsPlaylistBuilder()

  /// Creates a reader for one playlist.
  public init() { line.reserveCapacity(Self.lineLimit) }

  /// Processes the next bytes, split anywhere.
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

  /// Ends the input and returns the playlist.
  ///
  /// - Throws: `HlsPlaylistError`: `.empty` without a known tag or an address; `.notPlaylist` for another text.
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
    builder.process(line[...], isCut: isCut)
    line.removeAll(keepingCapacity: true)
    isCut = false
  }
}

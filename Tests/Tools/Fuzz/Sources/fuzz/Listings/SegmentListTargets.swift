import Listings

/// Reads any bytes as an HLS playlist with segments or variants.
final class HlsReading: FuzzTarget {
  static let name = "hls"
  static let longest = 2_048
  static let seeds = [
    "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:5.9,A - B\na.aac\n#EXT-X-DISCONTINUITY\n"
      + "#EXT-X-BYTERANGE:5@9\n#EXTINF:6,\nb.aac\n#EXT-X-GAP\n#EXTINF:1,\nc\n#EXT-X-ENDLIST\n",
    "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"8@0\"\n"
      + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1F\n"
      + "#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05.678+01:00\n#EXTINF:4,title=\"a\",artist=\"b\"\nc.m4s\n"
      + "#EXT-X-KEY:METHOD=NONE\n#EXTINF:4\nd.m4s\n#EXT-X-START:TIME-OFFSET=-8\n#EXT-X-SERVER-CONTROL:HOLD-BACK=9\n",
    "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n"
      + "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",DEFAULT=YES,URI=\"{$a}\"\n"
      + "#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.5\",AUDIO=\"g\"\nlow\n"
      + "#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=9,BANDWIDTH=128000,CODECS=\"avc1.4d,mp4a.40.2\",RESOLUTION=1x1\nhigh\n",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    let text = recipe.rest()
    var arrival = Recipe(sizes.span)
    let whole = Self.read(text, [0..<text.count])
    expect(whole == Self.read(text, arrival.pieces(of: text.count)), "a list does not change by how it is cut")
    switch whole {
    case .media(let list): check(list)
    case .master(let list):
      _ = list.choice()
      _ = list.choice(maxBitRate: 64_000)
    case nil: break
    }
  }

  private static func read(_ text: [UInt8], _ pieces: [Range<Int>]) -> HlsPlaylist? {
    var reader = HlsPlaylistReader()
    for piece in pieces { reader.append(text.span.extracting(piece)) }
    return try? reader.finish()
  }

  private func check(_ list: SegmentList) {
    expect(list.segments.count <= SegmentList.segmentLimit, "segments are bounded")
    expect((1...3_600).contains(list.targetDuration.seconds), "a target duration is")
    var number: UInt64?
    for segment in list.segments {
      expect((0...3_600).contains(segment.duration.seconds), "how long a segment is, too")
      expect(number.map { $0 < segment.sequence } ?? true, "numbers go up")
      expect(segment.sequence <= 1 << 63 + UInt64(SegmentList.segmentLimit) * 2, "and not beyond what can be counted")
      number = segment.sequence
      _ = (segment.shownTitle, segment.shownArtist)
    }
  }
}

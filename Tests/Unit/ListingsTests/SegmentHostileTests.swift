@testable import Listings
import SeededRandom
import Testing
import Units

/// Excessive or damaged playlists.
@Suite("Hostile HLS playlists")
struct SegmentHostileTests {
  // MARK: Limits

  @Test("A million segments leave the newest (H7)", .timeLimit(.minutes(2)))
  func million() throws {
    var reader = HlsPlaylistReader()
    reader.append(Array("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9223372036854775808\n".utf8).span)
    let many = Array(String(repeating: "#EXTINF:1,\na\n", count: 1_000).utf8)
    for _ in 0..<1_000 { reader.append(many.span) }
    guard case .media(let list) = try reader.finish() else { return }
    #expect(list.segments.count == SegmentList.segmentLimit)
    let first = UInt64(1) << 63
    #expect(list.segments.last?.sequence == first + 999_999 && list.sequence == first)
    #expect(list.segments.first?.sequence == first + 1_000_000 - 8_192)
    #expect(list.missingCount == 1_000_000 - 8_192)
  }

  @Test(
    "The newest 1 MiB of addresses, titles and keys is stored",
    arguments: [
      "#EXTINF:1,\nLONG", "#EXTINF:1,LONG\nx", "#EXTINF:1,title=\"a\",artist=\"LONG\"\nx",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"LONG\"\n#EXTINF:1,\nx", "#EXT-X-MAP:URI=\"LONG\"\n#EXTINF:1,\nx",
      "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"LONG\"\n#EXTINF:1,\n{$v}", "#EXTINF:1,\nx#{$v}LONG",
    ])
  func text(_ piece: String) throws {
    let count = 2_000
    let pieces = (0..<count).map { number in
      piece.replacing("LONG", with: "\(number)" + String(repeating: "x", count: 1_500)) + "\n"
    }
    let list = try #require(try SegmentReading.media(pieces.joined()))
    let bytes = list.segments.map { segment in
      [segment.address, segment.title, segment.artist, segment.key?.address, segment.map?.address].compactMap { $0 }
        .map(\.utf8.count).reduce(0, +)
    }
    #expect(bytes.reduce(0, +) <= SegmentList.textLimit)
    #expect(bytes.reduce(0, +) > SegmentList.textLimit - 2_000 && list.segments.count < 720)
    #expect(list.segments.last?.sequence == UInt64(count - 1) && list.missingCount == count - list.segments.count)
  }

  @Test("Shared values count once")
  func shared() throws {
    let long = String(repeating: "x", count: 1_500)
    let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\(long)\"\n#EXT-X-MAP:URI=\"m\(long)\"\n#EXTINF:1,t\(long)\nx\n"
    let list = try #require(try SegmentReading.media(String(repeating: tags, count: 2_000)))
    #expect(list.segments.count == 2_000 && list.segments.allSatisfy { $0.title == "t" + long })
  }

  @Test("Variables expand addresses to at most 1 MiB")
  func amplification() throws {
    let define = "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(String(repeating: "x", count: 1_000))\"\n"
    let text = define + String(repeating: "#EXTINF:1,\n{$v}{$v}\n", count: 5_000)
    let list = try #require(try SegmentReading.media(text))
    #expect(list.segments.count == SegmentList.textLimit / 2_000)
    let over = try #require(try SegmentReading.media(define + "#EXTINF:1,\n{$v}{$v}{$v}{$v}{$v}\n#EXTINF:1,\nx"))
    #expect(over.segments.map(\.address) == ["x"] && over.missingCount == 1)
    let names = (0..<40).map { "#EXT-X-DEFINE:NAME=\"n\($0)\",VALUE=\"\($0)\"\n" }.joined()
    let list32 = try #require(try SegmentReading.media(names + "#EXTINF:1,\n{$n31}{$n32}"))
    #expect(list32.segments.map(\.address) == ["31{$n32}"])
  }

  // MARK: Long lines

  @Test(
    "A line of 10 MB is skipped, and an address goes with its segment", .timeLimit(.minutes(1)),
    arguments: [
      ("LONG", ["a", "b"], [0, 1]), ("#EXTINF:5,\nLONG", ["a", "b"], [0, 2]), ("#LONG", ["a", "b"], [0, 1]),
      ("#EXT-X-LONG", ["a", "b"], [0, 1]), ("#EXTINF:5,LONG\nx", ["a", "x", "b"], [0, 1, 2]),
      ("#EXT-X-STREAM-INF:LONG\nx", ["a", "b"], [0, 1]), ("#EXT-X-MAP:URI=\"LONG\"", ["a", "b"], [0, 1]),
      ("#EXT-X-KEY:METHOD=NONE,URI=\"LONG\"", ["a", "b"], [0, 1]),
    ] as [(String, [String], [UInt64])])
  func longLines(_ piece: String, _ addresses: [String], _ sequences: [UInt64]) throws {
    var reader = HlsPlaylistReader()
    let parts = ("#EXTM3U\n#EXTINF:1,\na\n" + piece + "\n#EXTINF:1,\nb").split(separator: "LONG")
    reader.append(Array(parts[0].utf8).span)
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<10 { reader.append(block.span) }
    reader.append(Array(parts[1].utf8).span)
    guard case .media(let list) = try reader.finish() else { return }
    #expect(list.segments.map(\.address) == addresses && list.segments.map(\.sequence) == sequences)
    #expect(list.segments.allSatisfy { $0.title == nil && $0.map == nil })
    if addresses.count == 3 { #expect(list.segments[1].duration.seconds == 5) }
    // A skipped key is unknown.
    #expect((list.segments.last?.key?.method == .other) == piece.contains("KEY"))
  }

  @Test("A line of 8,192 bytes is read in any pieces, a longer one is not")
  func lineLimit() throws {
    for (length, isRead) in [(8_191, true), (8_192, true), (8_193, false)] {
      let tag = "#EXT-X-VERSION:7"
      let text = "#EXTM3U\n" + tag + String(repeating: " ", count: length - tag.utf8.count) + "\n#EXTINF:1,\na"
      for piece in [1, 4_096, 8_192, 8_193, .max] {
        guard case .media(let list) = try SegmentReading.playlist(Array(text.utf8), piece: piece) else { return }
        #expect(list.version == (isRead ? 7 : 1) && list.segments.count == 1)
      }
    }
  }

  @Test(
    "Many repetitions take linear time", .timeLimit(.minutes(1)),
    arguments: [
      "#EXTINF:9.98,title=\"a\",artist=\"b\",url=\"song_spot=\\\"M\\\"\"\nhttp://a.example/64k/segment-1234567.aac\n",
      "#EXT-X-PROGRAM-DATE-TIME:2010-02-19T14:54:23.031+08:00\n", "#EXT-X-PROGRAM-DATE-TIME:19 Feb 2010 14:54:23 GMT\n",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x000102030405060708090a0b0c0d0e0f\n",
      "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\nvariant\n", "#EXT-X-MEDIA:TYPE=AUDIO,URI=\"C:\\x\"\n",
      "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n", "#EXT-X-UNKNOWN:1234567890\n", "http://a.example/1234567890\n",
      ",=\"", "\n", "\r\n", "#",
    ])
  func repetition(_ piece: String) throws {
    let block = Array(("#EXTM3U\n" + String(repeating: piece, count: (1 << 20) / piece.utf8.count)).utf8)
    var reader = HlsPlaylistReader()
    for _ in 0..<3 { reader.append(block.span) }
    _ = try? reader.finish()
  }

  // MARK: Damage

  private static let seed = Array(
    """
    \u{FEFF}#EXTM3U\r\n#EXT-X-VERSION:7\r\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:18
    #EXT-X-START:TIME-OFFSET=-1.5
    #EXT-X-DEFINE:NAME="v",VALUE="http://a/"\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n#EXT-X-SERVER-CONTROL:HOLD-BACK=18
    #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x0a,KEYFORMAT="identity"\n#EXT-X-MAP:URI="{$v}i",BYTERANGE="8@1"
    #EXT-X-PROGRAM-DATE-TIME:2010-02-19T14:54:23.031+08:00\n#EXTINF:9.98,title="é",artist="b \\" c"\r\n{$v}x
    #EXT-X-BYTERANGE:100@20\n#EXTINF:1e-3,T\nx y\n#EXT-X-DISCONTINUITY\n#EXT-X-GAP\n#EXT-X-BYTERANGE:5\n#EXTINF:1,\nx y
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",DEFAULT=YES,URI="{$v}r"
    #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2,avc1.1",AUDIO="g",RESOLUTION=1x1\nv\n#EXT-X-ENDLIST\n
    """.utf8)

  private static func outcome(_ bytes: [UInt8], piece: Int = .max) -> Result<HlsPlaylist, HlsPlaylistError> {
    Result { () throws(HlsPlaylistError) in try SegmentReading.playlist(bytes, piece: piece) }
  }

  @Test("The pieces of a playlist do not matter")
  func pieces() {
    let whole = Self.outcome(Self.seed)
    for size in 1...40 { #expect(Self.outcome(Self.seed, piece: size) == whole) }
    for cut in 0...Self.seed.count {
      var reader = HlsPlaylistReader()
      reader.append(Self.seed.span.extracting(0..<cut))
      reader.append(Self.seed.span.extracting(cut..<Self.seed.count))
      #expect((try? reader.finish()) == (try? whole.get()))
    }
  }

  @Test("Every prefix of a playlist is readable, and adds nothing")
  func beginnings() {
    for count in 0...Self.seed.count {
      guard case .success(.media(let list)) = Self.outcome(Array(Self.seed[..<count])) else { continue }
      #expect(list.segments.count <= 3 && Self.isSound(list))
    }
  }

  @Test("Random damage is readable, equally in pieces", arguments: 0..<8 as Range<UInt64>)
  func damage(_ seed: UInt64) {
    var random = SeededGenerator(seed)
    let marks = Array("\n\r\",=:@#{}$\\-.0 9\u{0}".utf8)
    for turn in 0..<250 {
      var bytes = Self.seed
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = marks[Int.random(in: 0..<marks.count, using: &random)]
        case 2: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes.suffix(from: place).prefix(40), at: place)
        }
      }
      let whole = Self.outcome(bytes)
      let piece = Int.random(in: 1...30, using: &random)
      if Self.outcome(bytes, piece: piece) != whole { Issue.record("seed \(seed), turn \(turn): pieces of \(piece)") }
      switch whole {
      case .success(.media(let list)):
        if !Self.isSound(list) { Issue.record("seed \(seed), turn \(turn): \(list)") }
      case .success(.master(let list)): _ = list.choice(maxBitRate: turn)
      case .failure: break
      }
    }
  }

  /// True if all values are within the documented ranges.
  private static func isSound(_ list: SegmentList) -> Bool {
    let hour = StreamTime(seconds: 3_600)
    let isWhole =
      list.targetDuration >= StreamTime(seconds: 1) && list.targetDuration <= hour && list.sequence <= 1 << 63
      && list.discontinuitySequence <= 1 << 63 && list.missingCount >= 0 && 1...1_000 ~= list.version
    return isWhole
      && list.segments.allSatisfy { segment in
        !segment.address.isEmpty && segment.address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
          && segment.duration >= .zero && segment.duration <= hour && segment.title?.isEmpty != true
          && segment.range.map { $0.length > 0 && $0.offset >= 0 } != false && segment.key?.vector?.count ?? 16 == 16
      } && zip(list.segments, list.segments.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
  }
}

@testable import Listings
import Testing
import Units

/// Segment tags of media playlists.
@Suite("HLS segments")
struct SegmentTagTests {
  // MARK: EXTINF

  @Test(
    "A length is read in any notation",
    arguments: [
      ("9", 9.0), ("9.98", 9.98), (" 10.5 ", 10.5), ("0", 0), ("", 0), (".5", 0.5), ("7.", 7), ("+3", 3), ("-1", 0),
      ("-0.5", 0), ("nan", 0), ("inf", 0), ("x", 0), (".", 0), ("3600.1", 3_600), ("99999999999999999999999", 3_600),
      ("1e-05", 0.00001), ("1E+01", 10), ("1e999", 3_600), ("2e", 2), ("0.000011", 0.000011), ("0.0000000019", 0),
      ("10 tvg-id=\"a,b\"", 10), ("5.333333333333333333333", 5.333_333_333),
    ])
  func durations(_ text: String, _ seconds: Double) throws {
    for line in ["#EXTINF:\(text)", "#EXTINF:\(text),", "#EXTINF:\(text),title", "  #extinf: \(text) ,x"] {
      let segment = try #require(try SegmentReading.media(line + "\na")?.segments.first)
      #expect(abs(segment.duration.ticks - StreamTime(seconds: seconds).ticks) <= 2, "\(line)")
    }
  }

  @Test("A length is exact to the tick")
  func exact() throws {
    let list = try #require(try SegmentReading.media("#EXTINF:1.0,\na\n#EXTINF:0.000000001,\nb\n#EXTINF:9.984,\nc"))
    #expect(list.segments.map(\.duration.ticks) == [705_600_000, 1, 7_044_710_400])
  }

  @Test(
    "A title follows the comma, or is an attribute",
    arguments: [
      ("9,", nil, nil), ("9, ", nil, nil), ("9", nil, nil), ("9,One, Two", "One, Two", nil),
      ("9 a=\"b,c\",T", "T", nil),
      ("9,\"Quoted\"", "\"Quoted\"", nil), ("9,a \"b", "a \"b", nil), ("9 \"a,b", "b", nil),
      ("10,title=\"Listen\",artist=\"D.H.T.\",url=\"song_spot=\\\"M\\\" length=\\\"00:03:51\\\"\"", "Listen", "D.H.T."),
      ("10,artist=\"A, B\",title=\"C \\\"D\\\" \\\\E\"", "C \"D\" \\E", "A, B"),
      ("10,title=\"text=\\\"Spot Block End\\\" amgTrackId=\\\"9876543\\\"\",artist=\" \",url=\"\"", nil, nil),
      ("10,Band - text=\"Song\" song_spot=\"M\"", "Song", "Band"), ("10,STOP ADBREAK 1", nil, nil),
      ("10,Caf&eacute; &amp; Bar", "Café & Bar", nil), ("10,AT&T;", "AT&T;", nil), ("4,no desc", nil, nil),
      ("4,NO DESC", nil, nil), ("4,no-desc", nil, nil), ("4,null", nil, nil), ("4,No Description", nil, nil),
      ("4,no description of a struggle", "no description of a struggle", nil),
      ("10,title=\"\",artist=\"\"", nil, nil), ("10,title=\"cut", "cut", nil),
      ("10,x=\"1\",title=\"A\",title=\"B\"", "A", nil),
      ("10,tvg=\"1\"", nil, nil), ("10,E = \"mc\"", "E = \"mc\"", nil), ("10,a=b", "a=b", nil),
      ("10,title=\"a\\", "a", nil),
    ] as [(String, String?, String?)])
  func titles(_ text: String, _ title: String?, _ artist: String?) throws {
    let segment = try #require(try SegmentReading.media("#EXTINF:" + text + "\nx")?.segments.first)
    #expect(segment.title == title && segment.artist == artist)
  }

  @Test("Titles are shown without controls and secrets, also from windows-1252")
  func shownTitles() throws {
    let list = try #require(try SegmentReading.media("#EXTINF:1,A\u{1B}[1m \u{202E}B http://u:p@h/a?key=1\nx"))
    #expect(list.segments.first?.shownTitle == "A[1m B http://h/a")
    #expect(list.segments.first?.shownArtist == nil)
    let playlist = try SegmentReading.playlist(Array("#EXTM3U\n#EXTINF:1,Caf".utf8) + [0xE9] + Array("\nx".utf8))
    guard case .media(let latin) = playlist else { return }
    #expect(latin.segments.first?.title == "Café")
  }

  // MARK: Ranges

  @Test("A byte range without an offset follows the previous one of the same address")
  func ranges() throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXT-X-BYTERANGE:100
        #EXTINF:1,\na\n#EXTINF:1,\n#EXT-X-BYTERANGE: 50@1000\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:7\na
        #EXT-X-BYTERANGE:9\n#EXTINF:1,\nb\n#EXTINF:1,\nb\n#EXT-X-BYTERANGE:5\n#EXTINF:1,\nb
        """))
    let ranges = list.segments.map(\.range)
    #expect(ranges.map { $0?.offset } == [0, 1_000, 1_050, 0, nil, 0])
    #expect(ranges.map { $0?.length } == [100, 50, 7, 9, nil, 5])
  }

  @Test(
    "A segment with an impossible byte range is dropped, with its successors",
    arguments: ["", "x", "0", "0@5", "5@", "5@x", "-5@1", "5@-1", "1152921504606846976", "5@1152921504606846976"])
  func brokenRanges(_ range: String) throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXT-X-DISCONTINUITY\n#EXT-X-BYTERANGE:\(range)\n#EXTINF:1,\na\n#EXT-X-BYTERANGE:5\n#EXTINF:1,\na
        #EXT-X-BYTERANGE:5@9\n#EXTINF:1,\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:5\na
        """))
    #expect(list.segments.map(\.range?.offset) == [9, 14])
    #expect(list.segments.map(\.sequence) == [2, 3])
    #expect(list.segments.map(\.isDiscontinuous) == [true, false] && list.missingCount == 2)
  }

  // MARK: Persistent tags

  @Test("A discontinuity is counted, and reported once")
  func discontinuities() throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXT-X-DISCONTINUITY-SEQUENCE:7
        #EXTINF:1,\na\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nb\n#EXTINF:1,\nc
        #EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\n#EXT-X-GAP\nd\n#EXTINF:1,\ne
        """))
    #expect(list.segments.map(\.discontinuity) == [7, 8, 8, 10, 10])
    #expect(list.segments.map(\.isDiscontinuous) == [false, true, false, true, false])
    #expect(list.segments.map(\.isGap) == [false, false, false, true, false])
  }

  @Test("A key applies until the next, and a freely readable one is preferred")
  func keys() throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXTINF:1,\na\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXTINF:1,\nb\n#EXT-X-KEY:METHOD=AES-128,URI="k",KEYFORMAT="identity"
        #EXT-X-KEY:METHOD=AES-128,URI="data:x",KEYFORMAT="urn:uuid:edef8ba9"\n#EXTINF:1,\nc
        #EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\nd
        """))
    #expect(list.segments.map { $0.key?.method } == [nil, .sampleAes, .aes128, nil])
    #expect(list.segments.map { $0.key?.isDrm } == [nil, true, false, nil])
    #expect(list.segments.map { $0.key?.isOpen } == [nil, false, true, nil])
    #expect(list.segments[2].key?.address == "k")
  }

  @Test(
    "Known methods have names",
    arguments: [
      ("METHOD=AES-128,URI=\"k\"", SegmentKey.Method.aes128, true), ("METHOD=AES-128", .aes128, false),
      ("METHOD=SAMPLE-AES,URI=\"k\"", .sampleAes, false), ("METHOD=SAMPLE-AES-CTR,URI=\"k\"", .sampleAesCtr, false),
      ("METHOD=AES-256,URI=\"k\"", .other, false), ("URI=\"k\"", .other, false), ("", .other, false),
      ("METHOD=AES-128,URI=\"C:\\k\"", .aes128, false), (" URI = k , METHOD = AES-128 , ,=,x", .aes128, true),
    ])
  func methods(_ text: String, _ method: SegmentKey.Method, _ isOpen: Bool) throws {
    let key = try #require(try SegmentReading.segment("#EXT-X-KEY:" + text)?.key)
    #expect(key.method == method && key.isOpen == isOpen)
  }

  @Test(
    "A vector is a number of 128 bits",
    arguments: [
      ("0x000102030405060708090a0b0c0d0e0f", Array(0...15)), ("0X000102030405060708090A0B0C0D0E0F", Array(0...15)),
      ("0x1a2", [UInt8](repeating: 0, count: 14) + [1, 0xA2]), ("0x", nil), ("12", nil), ("0xg", nil), ("[IV]", nil),
      ("0x00000000000000000000000000000000f", nil), ("0x\u{FF11}", nil),
    ] as [(String, [UInt8]?)])
  func vectors(_ text: String, _ vector: [UInt8]?) throws {
    let key = try #require(try SegmentReading.segment("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=\(text)")?.key)
    #expect(key.vector == vector)
    let sequence = [UInt8](repeating: 0, count: 8) + [0x80, 0, 0, 0, 0, 0, 1, 2]
    #expect(key.vector(of: 1 << 63 | 0x102) == vector ?? sequence)
  }

  @Test("A map applies until the next, with the key before it")
  func maps() throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXT-X-MAP:URI="i1",BYTERANGE="812@10"\n#EXTINF:1,\na\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:1,\nb
        #EXT-X-MAP:URI="i 2",BYTERANGE=100\n#EXTINF:1,\nc\n#EXT-X-MAP:BYTERANGE="5"\n#EXT-X-MAP:URI="i3",BYTERANGE="x"
        #EXTINF:1,\nd\n#EXT-X-MAP:URI="i4"\n#EXTINF:1,\ne
        """))
    let maps = list.segments.map(\.map)
    #expect(maps.map { $0?.address } == ["i1", "i1", "i%202", "i%202", "i4"])
    #expect(maps.map { $0?.range?.offset } == [10, 10, 0, 0, nil])
    #expect(maps.map { $0?.range?.length } == [812, 812, 100, 100, nil])
    #expect(maps.map { $0?.key?.address } == [nil, nil, "k", "k", "k"])
  }

  // MARK: Variables

  @Test("Variables are inserted into addresses")
  func variables() throws {
    let list = try #require(
      try SegmentReading.media(
        """
        #EXT-X-DEFINE:NAME="host",VALUE="http://h/"\n#EXT-X-DEFINE:NAME="t",VALUE="a=1,b"\n#EXT-X-DEFINE:IMPORT="m"
        #EXT-X-DEFINE:NAME="t",VALUE="second"\n#EXT-X-KEY:METHOD=AES-128,URI="{$host}k"\n#EXT-X-MAP:URI="{$host}i"
        #EXTINF:1,\n{$host}x?{$t}\n#EXTINF:1,\n{$m}/{$}{t}{$host\n#EXTINF:1,\n{${$t}}
        """))
    #expect(list.segments.map(\.address) == ["http://h/x?a=1,b", "{$m}/{$}{t}{$host", "{$a=1,b}"])
    #expect(list.segments.first?.key?.address == "http://h/k" && list.segments.first?.map?.address == "http://h/i")
    let master = try SegmentReading.master(
      "#EXT-X-DEFINE:NAME=\"q\",VALUE=\"?z\"\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"r{$q}\"\n#EXT-X-STREAM-INF:\nv{$q}")
    #expect(master?.variants.first?.address == "v?z" && master?.renditions.first?.address == "r?z")
  }
}

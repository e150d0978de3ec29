import Framing
@testable import Listings
import Testing
import Units

/// Variants of a master playlist, and their order of play.
@Suite("HLS variants")
struct SegmentVariantTests {
  @Test("The attributes of variants are read")
  func variants() throws {
    let list = try #require(
      try SegmentReading.master(
        """
        #EXT-X-START:TIME-OFFSET=3
        #EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=128000.7,AVERAGE-BANDWIDTH=96000,CODECS=" mp4a.40.2 ,,avc1",\
        AUDIO="g",\
        NAME="Best"\n# comment\nbest one.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=99999999999,RESOLUTION=1x1,AVERAGE-BANDWIDTH=0\nb
        #EXT-X-STREAM-INF\nc
        d
        """))
    #expect(list.start?.offset.seconds == 3)
    #expect(list.variants.map(\.address) == ["best%20one.m3u8", "b", "c"])
    #expect(list.variants.map(\.peakBitRate) == [128_000, Int(Int32.max), 0])
    #expect(list.variants.map(\.averageBitRate) == [96_000, nil, nil])
    #expect(list.variants.map(\.bitRate) == [96_000, Int(Int32.max), 0])
    #expect(list.variants.map(\.codecs) == [["mp4a.40.2", "avc1"], [], []])
    #expect(list.variants.map(\.hasPicture) == [false, true, false])
    #expect(list.variants.map(\.audioGroup) == ["g", nil, nil] && list.variants.map(\.name) == ["Best", nil, nil])
  }

  @Test("The attributes of audio-only renditions are read")
  func renditions() throws {
    let list = try #require(
      try SegmentReading.master(
        """
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="German, live",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,\
        CHANNELS="6/JOC",URI="a"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="g",URI="b"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="",DEFAULT=NO,CHANNELS="x"
        #EXT-X-MEDIA:TYPE=AUDIO,URI="C:\\x"\n#EXT-X-MEDIA:URI="c"
        """))
    #expect(list.renditions.map(\.name) == ["German, live", nil] && list.renditions.map(\.address) == ["a", nil])
    #expect(list.renditions.map(\.group) == ["g", "g"] && list.renditions.map(\.language) == ["de", nil])
    #expect(list.renditions.map(\.isDefault) == [true, false] && list.renditions.map(\.channels) == [6, nil])
    #expect(list.renditions.map(\.isAutoselected) == [true, false])
  }

  // MARK: Choice

  private static let ladder = [(96, "mp4a.40.5"), (48, "mp4a.40.29"), (256, "mp4a.40.2"), (96, "mp3"), (128, nil)]

  @Test(
    "Without pictures the highest bit rate that the line carries plays, else the lowest",
    arguments: [
      (nil, [2, 4, 0, 3, 1]), (256_000, [2, 4, 0, 3, 1]), (255_999, [4, 0, 3, 1, 2]), (100_000, [0, 3, 1, 4, 2]),
      (48_000, [1, 0, 3, 4, 2]), (10, [1, 0, 3, 4, 2]), (0, [1, 0, 3, 4, 2]),
    ] as [(Int?, [Int])])
  func ladder(_ maxBitRate: Int?, _ order: [Int]) throws {
    let lines = Self.ladder.enumerated().map { place, rung in
      "#EXT-X-STREAM-INF:BANDWIDTH=\(rung.0)000" + (rung.1.map { ",CODECS=\"\($0)\"" } ?? "") + "\n\(place)"
    }
    let choice = try #require(try SegmentReading.master(lines.joined(separator: "\n"))?.choice(maxBitRate: maxBitRate))
    #expect(choice.candidates.map(\.address) == order.map { "\($0)" } && choice.refusal == nil)
    #expect(choice.candidates.allSatisfy { $0.form == .audio })
    #expect(choice.candidates.map(\.bitRate) == order.map { Self.ladder[$0].0 * 1_000 })
  }

  /// A variant "x" with these attributes; the forms are as in the candidates' letters.
  @Test(
    "Codecs and picture decide if a variant is playable",
    arguments: [
      ("CODECS=\"mp4a.40.2\"", "audio"), ("CODECS=\"mp4a.40.02\"", "audio"), ("CODECS=\"MP4A.40.5\"", "audio"),
      ("CODECS=\"mp4a.40.29\"", "audio"), ("CODECS=\"mp4a.40.34\"", "audio"), ("CODECS=\"mp4a.69\"", "audio"),
      ("CODECS=\"mp4a.6B\"", "audio"), ("CODECS=\"mp3\"", "audio"), ("CODECS=\"mp4a.40.2,wvtt\"", "audio"),
      ("CODECS=\"\"", "audio"), ("X=1", "audio"), ("BANDWIDTH=800000", "audio"), ("BANDWIDTH=800001", "video"),
      ("RESOLUTION=1x1", "video"), ("FRAME-RATE=25", "video"), ("VIDEO=\"v\"", "video"),
      ("CODECS=\"avc1.42c00d,mp4a.40.2\"", "video"), ("CODECS=\"mp4a.40.2,ac-3\"", "video"),
      ("CODECS=\"mp4a.67\"", "audio"), ("CODECS=\"aac\"", "audio"), ("CODECS=\"mp4a.40\"", "audio"),
      ("CODECS=\"aac,ac-3\",RESOLUTION=1x1", "video"), ("CODECS=\"mp4a.40.42\"", "xheAac"), ("CODECS=\"ac-3\"", "ac3"),
      ("CODECS=\"ec-3\"", "eac3"), ("CODECS=\"mp4a.a6\"", "eac3"), ("CODECS=\"Opus\"", "opus"),
      ("CODECS=\"fLaC\"", "flac"), ("CODECS=\"alac\"", "alac"), ("CODECS=\"avc1.42c00d,ec-3,ac-3\"", "eac3"),
      ("CODECS=\"mp4a.40.39\"", "unknownAac"), ("CODECS=\"dtsc\"", "other"), ("CODECS=\"avc1.42c00d\"", "other"),
      ("CODECS=\"hvc1.1.6.L93\",RESOLUTION=1x1", "other"),
    ])
  func codecs(_ attributes: String, _ outcome: String) throws {
    let choice = try #require(try SegmentReading.master("#EXT-X-STREAM-INF:\(attributes)\nx")?.choice())
    #expect(choice.candidates.first.map { "\($0.form)" } ?? choice.refusal?.rawValue == outcome)
  }

  @Test("If all are refused, the first codec gives the reason; an empty master list gives none")
  func refusals() throws {
    let all = try SegmentReading.master(
      "#EXT-X-STREAM-INF:CODECS=\"avc1\"\na\n#EXT-X-STREAM-INF:CODECS=\"ac-3\"\nb\n#EXT-X-STREAM-INF:CODECS=\"opus\"\nc"
    )
    #expect(all?.choice().candidates.isEmpty == true && all?.choice().refusal == .ac3)
    let none = try SegmentReading.master("#EXT-X-SESSION-DATA:DATA-ID=\"a\"")
    #expect(none?.choice().candidates.isEmpty == true && none?.choice().refusal == nil)
    let muxed = try SegmentReading.master("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\"")
    #expect(muxed?.choice().refusal == .other)
  }

  @Test("With a picture the default rendition plays, then the picture's own audio")
  func renditionChoice() throws {
    let list = try #require(
      try SegmentReading.master(
        """
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",URI="c"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",AUTOSELECT=YES,URI="b"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="dolby",DEFAULT=YES,URI="d"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="nobody",DEFAULT=YES,URI="e"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",DEFAULT=YES,URI="a"
        #EXT-X-STREAM-INF:BANDWIDTH=3,CODECS="avc1,mp4a.40.2",AUDIO="aac"\nv3
        #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1,mp4a.40.2",AUDIO="aac"\nv1
        #EXT-X-STREAM-INF:BANDWIDTH=4,CODECS="avc1,ac-3",AUDIO="dolby"\nv4
        #EXT-X-STREAM-INF:BANDWIDTH=2,CODECS="avc1,mp4a.40.2",AUDIO="aac"\na
        """))
    let choice = list.choice(maxBitRate: 1)
    #expect(choice.candidates.map(\.address) == ["a", "b", "c", "v1", "v3"])
    #expect(choice.candidates.map(\.form) == [.rendition, .rendition, .rendition, .video, .video])
    #expect(choice.candidates.map(\.bitRate) == [nil, nil, nil, 1, 3])
  }

  @Test("If the default comes with the picture, other renditions come last")
  func muxedDefault() throws {
    let list = try SegmentReading.master(
      """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="main",DEFAULT=YES
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="commentary",URI="c"
      #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=1x1,AUDIO="g"\nv
      """)
    #expect(list?.choice().candidates.map(\.address) == ["v", "c"])
    let alone = try SegmentReading.master("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",URI=\"c\"")
    #expect(alone?.choice().candidates.map(\.address) == ["c"])
  }

  @Test("The first 200 variants and 200 renditions are stored")
  func limits() throws {
    let text = (0..<1_000).map {
      "#EXT-X-STREAM-INF:BANDWIDTH=\($0)\nv\($0)\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"r\($0)\"\n"
    }
    let list = try #require(try SegmentReading.master(text.joined()))
    #expect(list.variants.count == VariantList.limit && list.variants.last?.address == "v199")
    #expect(list.renditions.count == VariantList.limit && list.renditions.last?.address == "r199")
    #expect(list.choice().candidates.count == 200)
  }

  @Test("Addresses with equal folded text are distinguished in no time (H7)")
  func composed() throws {
    let tail = String(repeating: "x", count: 3_800)
    func choose(_ count: Int) throws -> (time: Swift.Duration, count: Int) {
      let lines = (0..<count).map { number in
        let letters = String(repeating: number % 2 == 0 ? "\u{E9}" : "e\u{301}", count: 40)
        return "#EXT-X-STREAM-INF:BANDWIDTH=64000\n\(letters)\(tail)\(number)\n"
      }
      let list = try #require(try SegmentReading.master(lines.joined()))
      var found = 0
      let time = ContinuousClock().measure { found = list.choice(maxBitRate: nil).candidates.count }
      return (time, found)
    }
    let (few, many) = (try choose(50), try choose(200))
    #expect(few.count == 50 && many.count == 200)
    #expect(many.time < few.time * 12 + .milliseconds(20), "four times as many may take four times as long")
  }
}

import Framing
import Listings
import Testing
import Units

/// The ads of an HLS list (B4).
@Suite struct SegmentAdTests {
  /// The marks of a list's segments: "30.0" for the announced seconds, "?" without, "end", and "-" for none.
  private func marks(_ text: String) throws -> String {
    let list = try #require(try SegmentReading.media("#EXT-X-TARGETDURATION:10\n" + text))
    return list.segments.map { segment in
      switch segment.ad {
      case nil: "-"
      case .end: "end"
      case .begin(let ad): ad.length.map { "\(ad.kind) \(($0.seconds * 10).rounded() / 10)" } ?? "\(ad.kind) ?"
      }
    }.joined(separator: ", ")
  }

  @Test(
    "Cues mark the next segment",
    arguments: [
      ("#EXT-X-CUE-OUT:30", "cue 30.0"), ("#EXT-X-CUE-OUT:DURATION=29.97", "cue 30.0"), ("#EXT-X-CUE-OUT", "cue ?"),
      ("#EXT-X-CUE-OUT:ID=4,duration=\"15\"", "cue 15.0"), ("#EXT-X-CUE-OUT-CONT:10/30", "cue 20.0"),
      ("#EXT-X-CUE-OUT-CONT:ElapsedTime=5.5,Duration=30,SCTE35=/A=", "cue 24.5"), ("#EXT-X-CUE-IN", "end"),
      ("#EXT-X-CUE-OUT:-5", "cue ?"), ("#EXT-X-CUE-OUT:99999", "cue ?"), ("#EXT-X-CUE-OUT-CONT:30/10", "cue ?"),
      ("#EXT-X-CUE-OUT-CONT:/", "cue ?"),
    ])
  func cues(tag: String, mark: String) throws {
    #expect(try marks("#EXTINF:10,\na\n" + tag + "\n#EXTINF:10,\nb\n#EXTINF:10,\nc") == "-, \(mark), -")
  }

  @Test("The fields of equal segments are one ad")
  func information() throws {
    let ad = "#EXTINF:10,title=\"B\",artist=\"A\",url=\"song_spot=\\\"T\\\" length=\\\"00:00:20\\\"\"\n"
    let text = ad + "a\n" + ad + "b\n#EXTINF:10,Song\nc\n" + ad + "d\n#EXTINF:10,STOP ADBREAK 1\ne"
    #expect(try marks(text) == "spot 20.0, -, -, spot 20.0, end")
  }

  private static let dated =
    "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T10:00:00Z\n"
    + "#EXTINF:10,\na\n#EXTINF:10,\nb\n#EXTINF:10,\nc\n#EXTINF:10,\nd\n#EXTINF:10,\ne"

  @Test(
    "A range of dates marks its segments, each with the rest, and the segment after the range",
    arguments: [
      (
        "ID=\"1\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-01-01T10:00:10Z\",DURATION=20",
        "-, cue 20.0, cue 10.0, end, -"
      ),
      (
        "ID=\"1\",START-DATE=\"2026-01-01T10:00:09.8Z\",PLANNED-DURATION=10.2,SCTE35-OUT=0xFC", "-, cue 10.0, end, -, -"
      ),
      ("ID=\"1\",START-DATE=\"2026-01-01T09:59:50Z\",DURATION=25,SCTE35-OUT=0xFC", "cue 15.0, cue 5.0, end, -, -"),
      ("ID=\"1\",START-DATE=\"2026-01-01T10:00:10Z\",SCTE35-OUT=0xFC", "-, cue ?, -, -, -"),
      ("ID=\"1\",CLASS=\"song\",START-DATE=\"2026-01-01T10:00:10Z\",DURATION=20", "-, -, -, -, -"),
      ("ID=\"1\",START-DATE=\"no date\",DURATION=20,SCTE35-OUT=0xFC", "-, -, -, -, -"),
      ("START-DATE=\"2026-01-01T10:00:10Z\",DURATION=20,SCTE35-OUT=0xFC", "-, -, -, -, -"),
    ])
  func ranges(attributes: String, expected: String) throws {
    #expect(try marks("#EXT-X-DATERANGE:" + attributes + "\n" + Self.dated) == expected)
  }

  @Test("A later range with the same ID changes the length")
  func update() throws {
    let ranges =
      "#EXT-X-DATERANGE:ID=\"1\",START-DATE=\"2026-01-01T10:00:10Z\",PLANNED-DURATION=30,SCTE35-OUT=0xFC\n"
      + "#EXT-X-DATERANGE:ID=\"1\",DURATION=10,SCTE35-IN=0xFC\n"
    #expect(try marks(ranges + Self.dated) == "-, cue 10.0, end, -, -")
  }
}

import Blocks
import Framing
import Testing
import Units

/// A connection that continues the Ogg stream of an earlier connection (R4.2).
struct OggPlaceTests {
  struct Programme: CustomTestStringConvertible {
    var testDescription: String
    var headers: [UInt8]
    var pages: [[UInt8]]

    var bytes: [UInt8] { headers + pages.joined() }
  }

  /// Twelve pages after the headers. A packet spans each border, and one packet spans three pages.
  private static func programme(
    _ name: String, _ frames: Int, _ headers: (inout OggWriter) -> [UInt8], _ packet: (Int) -> [UInt8]
  ) -> Programme {
    var writer = OggWriter(serial: 77)
    let head = headers(&writer)
    writer.sequence = 900
    var end = 40_000
    let pages = (0..<12).map { number in
      end += 3 * frames
      if number == 5 {
        end -= 3 * frames
        return writer.page([[UInt8](repeating: 7, count: 255)], granule: -1, isContinued: true, isOpen: true)
      }
      var packets = (0..<4).map { packet(4 * number + $0) }
      if number > 0 { packets[0] = [UInt8](repeating: 9, count: 20) }
      packets[3] += [UInt8](repeating: 5, count: 255 - packets[3].count)
      return writer.page(packets, granule: end, isContinued: number > 0, isOpen: true)
    }
    return Programme(testDescription: name, headers: head, pages: pages)
  }

  static let programmes = [
    programme("Vorbis", 1_024, { OggSample.vorbisHeaders(&$0) }, { OggSample.vorbis(seed: UInt64($0)) }),
    programme("Opus", 960, { OggSample.opusHeaders(&$0) }, { OggSample.opus(seed: UInt64($0)) }),
    programme(
      "FLAC", 4_096,
      { $0.page([OggSample.flacHead(headers: 1)], isFirst: true) + $0.page([OggSample.flacComments([])]) },
      { OggSample.flac(UInt8($0)) }),
  ]

  private func outcome(_ bytes: [UInt8], after place: OggPlace?, followsGap: Bool = true) -> (OggOutcome, OggPlace?) {
    var framer = OggFramer()
    framer.reset(followsGap: followsGap)
    if let place { framer.resume(after: place) }
    let outcome = OggOutcome(bytes, with: &framer)
    return (outcome, framer.place)
  }

  @Test("A stream cut between two pages gives the packets of an uncut stream", arguments: programmes)
  func contiguous(programme: Programme) {
    let whole = outcome(programme.bytes, after: nil, followsGap: false).0
    for cut in 1..<programme.pages.count {
      let (first, place) = outcome(
        programme.headers + programme.pages[..<cut].joined(), after: nil, followsGap: false)
      let second = outcome(programme.headers + programme.pages[cut...].joined(), after: place).0
      #expect(first.bytes + second.bytes == whole.bytes, "\(cut)")
      #expect(first.frames + second.frames == whole.frames, "\(cut)")
      #expect(first.firstFrames + second.firstFrames == whole.firstFrames, "\(cut)")
      #expect(!second.gaps.contains(true), "\(cut)")
      #expect(second.setups == whole.setups)
    }
  }

  @Test("A connection without headers continues the stream", arguments: programmes)
  func headless(programme: Programme) {
    let whole = outcome(programme.bytes, after: nil, followsGap: false).0
    let (first, place) = outcome(programme.headers + programme.pages[..<4].joined(), after: nil, followsGap: false)
    let next = outcome(Array(programme.pages[4...].joined()), after: place).0
    #expect(first.bytes + next.bytes == whole.bytes)
    // After a loss, the packet that began on a lost page is missing.
    let later = outcome(Array(programme.pages[7...].joined()), after: place).0
    #expect(later.gaps.first == true)
    #expect(whole.bytes.suffix(later.bytes.count) == later.bytes[...])
  }

  @Test(
    "Other pages than the next one follow a gap", arguments: programmes,
    ["lost page", "repeated page", "serial", "end"])
  func interrupted(programme: Programme, kind: String) {
    var pages = programme.pages
    if kind == "end" { pages[3] = OggWriter.sealed(pages[3][..<5] + [pages[3][5] | 4] + pages[3][6...]) }
    let (_, place) = outcome(programme.headers + pages[..<4].joined(), after: nil, followsGap: false)
    let start = kind == "lost page" ? 5 : kind == "repeated page" ? 3 : 4
    var bytes = programme.headers
    for page in programme.pages[start...] { bytes += page }
    if kind == "serial" {
      var writer = OggWriter(serial: 78)
      bytes = OggSample.opusHeaders(&writer)
      writer.sequence = 904
      bytes += writer.page([OggSample.opus()], granule: 60_000)
    }
    #expect(outcome(bytes, after: place).0.gaps.first == true)
  }

  @Test("Another set-up with the same serial number follows a gap")
  func otherSetup() {
    let programme = Self.programmes[0]
    let (_, place) = outcome(programme.headers + programme.pages[..<4].joined(), after: nil, followsGap: false)
    var writer = OggWriter(serial: 77)
    let headers = OggSample.vorbisHeaders(&writer, rate: 48_000)
    let second = outcome(headers + programme.pages[4...].joined(), after: place).0
    #expect(second.gaps.first == true)
    #expect(second.packets.first?.info.format.sampleRate.hertz == 48_000)
  }

  @Test("The tags of the new connection's headers are reported")
  func newTags() {
    let programme = Self.programmes[1]
    let (_, place) = outcome(programme.headers + programme.pages[..<4].joined(), after: nil, followsGap: false)
    var writer = OggWriter(serial: 77)
    let headers = OggSample.opusHeaders(&writer, tags: ["TITLE=Now"])
    let second = outcome(headers + programme.pages[4...].joined(), after: place).0
    #expect(second.tags.map(\.title) == ["Now"])
    #expect(second.gaps.first == false)
  }
}

import Blocks
import Glibc
import SeededRandom
import Testing
import Units

@testable import Framing

struct OggHeaderTests {
  // MARK: Vorbis

  /// Writes a set-up header that contains every kind of element.
  private struct Setup {
    var bits = LowBitWriter()

    mutating func put(_ fields: (Int, Int)...) { for (value, width) in fields { bits.put(value, width) } }

    mutating func book(dimensions: Int, entries: Int) {
      put((0x564342, 24), (dimensions, 16), (entries, 24))
    }

    /// Codebooks without gaps, with gaps, and ordered; values of both lookup types.
    mutating func books() {
      put((3, 8))
      book(dimensions: 2, entries: 9)
      put((0, 1), (0, 1))
      for length in 0..<9 { put((length, 5)) }
      // Lookup type 1: 3² = 9 entries, so three values of five bits.
      put((1, 4), (1, 32), (2, 32), (4, 4), (0, 1), (7, 5), (8, 5), (9, 5))
      book(dimensions: 1, entries: 3)
      put((0, 1), (1, 1), (1, 1), (4, 5), (0, 1), (1, 1), (4, 5))
      // Lookup type 2: 2 dimensions × 3 entries = 3 × 2 values of one bit.
      put((2, 4), (1, 32), (2, 32), (0, 4), (1, 1), (5, 3))
      book(dimensions: 3, entries: 6)
      // Ordered: two entries of length 3, none of length 4, four of length 5.
      put((1, 1), (2, 5), (2, 3), (0, 3), (4, 3), (0, 4))
      book(dimensions: 1, entries: 2)
      put((0, 1), (0, 1), (0, 5), (0, 5), (1, 4), (0, 32), (0, 32), (7, 4), (0, 1), (200, 8), (201, 8))
    }

    mutating func floors() {
      put((1, 6))
      put((0, 16), (8, 8), (1, 16), (1, 16), (1, 6), (1, 8), (2, 4), (1, 8), (2, 8), (3, 8))
      // Three partitions of the classes 0, 2 and 0; class 2 has a master book.
      put((1, 16), (3, 5), (0, 4), (2, 4), (0, 4), (1, 3), (0, 2), (9, 8), (0, 3), (0, 2), (9, 8))
      put((2, 3), (2, 2), (7, 8), (1, 8), (2, 8), (3, 8), (4, 8), (1, 2), (6, 4))
      for value in 0..<7 { put((value, 6)) }
    }

    mutating func residues() {
      put((1, 6), (2, 16), (0, 24), (99, 24), (7, 24), (1, 6), (1, 8))
      put((5, 3), (1, 1), (17, 5), (2, 3), (0, 1))
      for book in 0..<5 { put((book, 8)) }
      put((0, 16), (0, 24), (9, 24), (7, 24), (0, 6), (1, 8), (0, 3), (0, 1))
    }

    mutating func mappings(channels: Int) {
      put((1, 6), (0, 16), (1, 1), (1, 4), (1, 1), (0, 8), (1, channels > 2 ? 3 : 1), (0, channels > 2 ? 3 : 1), (0, 2))
      for _ in 0..<channels { put((1, 4)) }
      put((0, 24), (0, 24), (0, 16), (0, 1), (0, 1), (0, 2), (0, 24))
    }

    mutating func modes(_ modes: [Bool]) {
      put((modes.count - 1, 6))
      for isLong in modes { put((isLong ? 1 : 0, 1), (0, 32), (1, 8)) }
      put((1, 1))
    }

    static func whole(channels: Int, modes: [Bool]) -> [UInt8] {
      var setup = Setup()
      setup.books()
      setup.put((1, 6), (0, 16), (0, 16))
      setup.floors()
      setup.residues()
      setup.mappings(channels: channels)
      setup.modes(modes)
      return [5] + Array("vorbis".utf8) + setup.bits.bytes
    }
  }

  @Test("The modes follow all other content of a set-up header", arguments: [2, 6])
  func modes(channels: Int) throws {
    for modes in [[true], [false, true], [true, false, true, true, false], [Bool](repeating: true, count: 64)] {
      let header = Setup.whole(channels: channels, modes: modes)
      #expect(header.modes(channels: channels)?.areLong == modes)
      #expect(Array(header.dropLast()).modes(channels: channels) == nil)
    }
    #expect(Setup.whole(channels: 6, modes: [true]).modes(channels: 2) == nil)
  }

  @Test("Damage and impossible claims are survived in no time")
  func damagedSetup() {
    var random = SeededGenerator(31)
    let header = Setup.whole(channels: 2, modes: [false, true])
    for _ in 0..<2_000 {
      var bytes = header
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 7..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = bytes.modes(channels: 2)
    }
    // Books with 2²⁴ − 1 entries and up to 65,535 dimensions that claim all values.
    for dimensions in [1, 2, 65_535] {
      for kind in [1, 2] {
        var setup = Setup()
        setup.put((255, 8))
        for _ in 0..<40 {
          setup.book(dimensions: dimensions, entries: 0xFF_FFFF)
          setup.put((1, 1), (0, 5), (0xFF_FFFF, 24), (kind, 4), (0, 32), (0, 32), (15, 4), (0, 1))
        }
        #expect(([5] + Array("vorbis".utf8) + setup.bits.bytes).modes(channels: 2) == nil)
      }
    }
    #expect([UInt8]().modes(channels: 2) == nil)
    #expect(header.modes(channels: 0) == nil)
  }

  @Test("A truncated book of 16 million words takes no time")
  func claimedBook() {
    var setup = Setup()
    setup.put((0, 8))
    setup.book(dimensions: 1, entries: 0xFF_FFFF)
    // Not ordered, with a flag per entry for its presence.
    setup.put((0, 1), (1, 1))
    let bytes = [5] + Array("vorbis".utf8) + setup.bits.bytes
    let begin = Self.threadTime()
    for _ in 0..<40 { #expect(bytes.modes(channels: 2) == nil) }
    #expect(Self.threadTime() - begin < 0.5)
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("A Vorbis head gives rate, channels and blocks")
  func vorbisHead() throws {
    let head = try #require(OggSample.vorbisHead(rate: 22_050, channels: 1, short: 7, long: 10).vorbisHead)
    #expect((head.sampleRate, head.channels) == (SampleRate(22_050), 1))
    let modes = try #require(OggSample.vorbisSetup(modes: [true, false, false]).vorbisModes)
    #expect([0, 2, 4, 6, 1].map { [UInt8($0)].blockSize(head, modes) } == [1_024, 128, 128, nil, nil])
    #expect([UInt8]().blockSize(head, modes) == nil)
  }

  @Test("An impossible Vorbis head is refused")
  func wrongVorbisHeads() {
    let good = OggSample.vorbisHead()
    #expect(good.vorbisHead != nil)
    for (place, value) in [(0, 3), (6, 0x52), (7, 1), (11, 0), (15, 0x7F), (28, 0xB5), (28, 0x8B), (28, 0xE8), (29, 0)]
    {
      var bytes = good
      bytes[place] = UInt8(value)
      #expect(bytes.vorbisHead == nil, "\(place)")
    }
    #expect(Array(good.dropLast()).vorbisHead == nil)
    #expect([0, 1_999].allSatisfy { OggSample.vorbisHead(rate: $0).vorbisHead == nil })
    #expect(OggSample.vorbisHead(short: 6, long: 13).vorbisHead != nil)
  }

  // MARK: Opus

  @Test(
    "A packet's first byte times its frames gives its duration",
    arguments: [
      (0x00, 480), (0x08, 960), (0x10, 1_920), (0x18, 2_880), (0x38, 2_880), (0x58, 2_880), (0x60, 480), (0x68, 960),
      (0x70, 480), (0x78, 960), (0x80, 120), (0x88, 240), (0x90, 480), (0x98, 960), (0xF8, 960),
    ])
  func opusFrames(first: UInt8, frames: Int) throws {
    let head = try #require(OggSample.opusHead().opusHead)
    #expect([first, 1].opusFrames(head) == frames)
    #expect([first | 1, 1, 2].opusFrames(head) == (2 * frames <= 5_760 ? 2 * frames : nil))
    #expect([first | 2, 1, 2, 3].opusFrames(head) == 2 * frames)
    for count in 1...63 {
      let packet = [first | 3, UInt8(count)] + [UInt8](repeating: 0, count: 3 * count)
      #expect(packet.opusFrames(head) == (count * frames <= 5_760 ? count * frames : nil))
    }
  }

  @Test("The lengths of its frames must fit into a packet")
  func opusLengths() throws {
    let head = try #require(OggSample.opusHead().opusHead)
    let wrong: [[UInt8]] = [
      [], [0x81, 1], [0x82], [0x82, 4, 1, 2, 3], [0x82, 252], [0x83], [0x83, 0], [0x83, 2, 1], [0x83, 0x82],
      [0x83, 0x82, 2, 1], [0x83, 0x41], [0x83, 0x41, 1], [0x83, 0x41, 255], [0x83, 0x42, 1, 5, 9],
      [0x80] + [UInt8](repeating: 1, count: 1_276), [0x81] + [UInt8](repeating: 1, count: 2_552),
      [0x83, 0xC2, 3, 0, 0, 0],
    ]
    for packet in wrong { #expect(packet.opusFrames(head) == nil, "\(packet.prefix(8))") }
    let right: [([UInt8], Int)] = [
      ([0x80], 120), ([0x81], 240), ([0x82, 0], 240), ([0x82, 252, 0] + [UInt8](repeating: 1, count: 252), 240),
      ([0x83, 0x82, 2, 1, 1], 240), ([0x83, 0x41, 1, 9], 120), ([0x83, 0xC2, 1, 1, 5, 9], 240),
      ([0x83, 0x41, 255, 2] + [UInt8](repeating: 0, count: 256), 120),
      ([0x80] + [UInt8](repeating: 1, count: 1_275), 120),
    ]
    for (packet, frames) in right { #expect(packet.opusFrames(head) == frames, "\(packet.prefix(8))") }
  }

  @Test("An Opus head gives channels and pre-skip, of valid streams only")
  func opusHead() throws {
    let head = try #require(OggSample.opusHead(preSkip: 65_535, channels: 1).opusHead)
    #expect((head.channels, head.preSkip) == (1, 65_535))
    #expect(OggSample.opusHead(channels: 0).opusHead == nil)
    #expect(OggSample.opusHead(channels: 3).opusHead == nil)
    #expect(Array(OggSample.opusHead().dropLast()).opusHead == nil)
    var next = OggSample.opusHead()
    next[8] = 0x0F
    #expect(next.opusHead != nil)
    next[8] = 0x10
    #expect(next.opusHead == nil)
    let surround = OggSample.opusHead(channels: 6).dropLast() + [1, 4, 2, 0, 4, 1, 2, 3, 5]
    let many = try #require(Array(surround).opusHead)
    // With several encoders per packet, only the first byte is parsed.
    #expect([0x81, 1].opusFrames(many) == 240)
    #expect(Array(surround.dropLast()).opusHead == nil)
  }
}

extension Array<UInt8> {
  // Test macros cannot capture a span.
  fileprivate var vorbisHead: VorbisHead? { VorbisHead(span) }
  fileprivate var vorbisModes: VorbisSetup? { modes(channels: 2) }
  fileprivate func modes(channels: Int) -> VorbisSetup? { VorbisSetup(span, channels: channels) }
  fileprivate var opusHead: OpusHead? { OpusHead(span) }
  fileprivate func opusFrames(_ head: OpusHead) -> Int? { head.frames(span) }
  fileprivate func blockSize(_ head: VorbisHead, _ setup: VorbisSetup) -> Int? { head.blockSize(span, setup) }
}

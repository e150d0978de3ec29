import Blocks
import Framing
import SeededRandom
import Testing
import Units

struct OggDamageTests {
  /// An Opus stream: the headers, then pages with three packets; one packet continues in the next page.
  private static let pages: [[UInt8]] = {
    var writer = OggWriter()
    var pages = [writer.page([OggSample.opusHead(preSkip: 0)], isFirst: true), writer.page([OggSample.opusTags()])]
    for page in 0..<8 {
      let parts = [
        [UInt8(page)], OggSample.opus(seed: UInt64(page)), OggSample.opus(byteCount: 255, seed: UInt64(100 + page)),
      ]
      pages.append(
        writer.page(
          Array(parts.dropFirst(page == 0 ? 1 : 0)), granule: 960 * (page == 0 ? 1 : 2 * page + 1),
          isContinued: page > 0, isOpen: true))
    }
    return pages
  }()
  private static let whole = OggOutcome(pages.flatMap { $0 })

  @Test("A missing page costs its packets and shared ones", arguments: [4, 5, 6])
  func hole(lost: Int) {
    let outcome = OggOutcome(Self.pages.enumerated().filter { $0.offset != lost }.flatMap(\.element))
    let kept = Self.whole.packets.enumerated().filter { !(2 * lost - 5...2 * lost - 3).contains($0.offset) }.map(
      \.element)
    #expect(Self.whole.packets.count == 15)
    #expect(outcome.bytes == kept.map(\.bytes))
    #expect(outcome.firstFrames == kept.map(\.info.firstFrame))
    #expect(outcome.gaps == kept.indices.map { $0 == 2 * lost - 5 })
  }

  @Test("A page with a wrong bit counts as missing", arguments: [0, 3, 6, 14, 18, 22, 26, 27, 40, 200])
  func brokenPage(place: Int) {
    var pages = Self.pages
    let without = OggOutcome(pages.enumerated().filter { $0.offset != 5 }.flatMap(\.element))
    pages[5][place] ^= 0x04
    for step in [1, 100, Int.max] {
      let outcome = OggOutcome(pages.flatMap { $0 }, step: step)
      #expect(
        outcome.items == without.items.map { Self.moved($0, from: pages[..<5].joined().count, by: pages[5].count) })
      #expect(outcome.skipped == without.skipped + pages[5].count)
    }
  }

  private static func moved(_ item: OggOutcome.Item, from start: Int, by count: Int) -> OggOutcome.Item {
    guard case .packet(var packet) = item, packet.info.byteOffset >= start else { return item }
    packet.info.byteOffset += count
    return .packet(packet)
  }

  @Test("Garbage between pages costs no packet", arguments: [1, 26, 700, 70_000])
  func garbage(count: Int) {
    for noise in [Build.quiet(count, seed: 5), [UInt8](repeating: 0x4F, count: count)] {
      let bytes = Self.pages[..<5].flatMap { $0 } + noise + Self.pages[5...].flatMap { $0 }
      for step in [100, Int.max] {
        let outcome = OggOutcome(bytes, step: step)
        #expect(outcome.bytes == Self.whole.bytes)
        #expect(outcome.gaps.allSatisfy { !$0 })
        #expect(outcome.skipped == count)
      }
    }
  }

  @Test("A page that does not continue drops the open packet; a false continuation drops its start")
  func contradictions() {
    var writer = OggWriter()
    var bytes = OggSample.opusHeaders(&writer, preSkip: 0)
    bytes += writer.page([OggSample.opus(byteCount: 255)], granule: -1, isOpen: true)
    bytes += writer.page([OggSample.opus()], granule: 1_920)
    bytes += writer.page([OggSample.opus(seed: 8), OggSample.opus(seed: 9)], granule: 3_840, isContinued: true)
    let outcome = OggOutcome(bytes)
    #expect(outcome.bytes == [OggSample.opus(), OggSample.opus(seed: 9)])
    #expect(outcome.gaps == [true, true])
    #expect(outcome.firstFrames == [960, 2_880])
  }

  @Test("The first Vorbis packet after a gap is silent, and the granule gives its position")
  func vorbisHole() {
    var writer = OggWriter()
    var bytes = OggSample.vorbisHeaders(&writer)
    bytes += writer.page([OggSample.vorbis(), OggSample.vorbis()], granule: 1_024)
    _ = writer.page([OggSample.vorbis()], granule: 2_048)
    bytes += writer.page([OggSample.vorbis(), OggSample.vorbis()], granule: 4_096)
    let outcome = OggOutcome(bytes)
    #expect(outcome.frames == [0, 1_024, 0, 1_024])
    #expect(outcome.firstFrames == [0, 0, 3_072, 3_072])
    #expect(outcome.gaps == [false, false, true, false])
  }

  @Test("An undecodable packet is dropped")
  func damagedPackets() {
    // In this order: three frames of 60 ms, no frame, two unequal frames marked as equal, lengths beyond the end.
    let bad: [[UInt8]] = [
      [0x1B, 3, 1, 2, 3], [0xFB, 0], [0xF9, 1, 2, 3], [0xFA, 200, 1, 2], [0xFB], [0xFB, 0x41, 255, 255],
    ]
    for packet in bad {
      var writer = OggWriter()
      var bytes = OggSample.opusHeaders(&writer, preSkip: 0)
      bytes += writer.page([OggSample.opus(), packet, OggSample.opus()], granule: 5_000)
      let outcome = OggOutcome(bytes)
      #expect(outcome.packets.count == 2, "\(packet)")
      #expect(outcome.gaps == [false, true])
      #expect(outcome.firstFrames == [0, 4_040])
      #expect(outcome.skipped == packet.count)
      // After a later page, the granule of that page is the end of the count.
      bytes += writer.page([OggSample.opus(), packet, OggSample.opus()], granule: 8_000)
      #expect(OggOutcome(bytes).firstFrames.suffix(2) == [5_000, 7_040])
    }
    var writer = OggWriter()
    var flac = writer.page([OggSample.flacHead(headers: 0)], isFirst: true)
    flac += writer.page([OggSample.flac(0), [0xFF, 0xF8, 1, 2], OggSample.flac(2)], granule: 12_288)
    #expect(OggOutcome(flac).firstFrames == [0, 8_192])
    var other = OggWriter()
    var vorbis = other.page([OggSample.vorbisHead()], isFirst: true)
    vorbis += other.page([OggSample.vorbisComments(), OggSample.vorbisSetup(modes: [false, true, true])])
    vorbis += other.page([OggSample.vorbis(), OggSample.vorbis(), [6, 1], OggSample.vorbis(), OggSample.vorbis()])
    #expect(OggOutcome(vorbis).frames == [0, 1_024, 0, 1_024])
    #expect(OggOutcome(vorbis).gaps == [false, false, true, false])
  }

  // MARK: Harm

  /// The head of a page that announces 255 segments.
  private static let claim = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [255]

  @Test("An oversized audio packet is dropped, and never stored whole")
  func longPacket() {
    var writer = OggWriter()
    var bytes = writer.page([OggSample.flacHead(headers: 0)], isFirst: true)
    bytes += writer.page([OggSample.flac(0)], granule: 4_096)
    bytes += writer.pages(of: OggSample.flac(1) + [UInt8](repeating: 1, count: 530_000), granule: 8_192)
    bytes += writer.page([OggSample.flac(2)], granule: 12_288)
    let outcome = OggOutcome(bytes, step: 50_000)
    #expect(outcome.bytes == [OggSample.flac(0), OggSample.flac(2)])
    #expect(outcome.gaps == [false, true])
    #expect(outcome.mostHeld < 524_288 + 140_000)
  }

  @Test("Comments of any length are read at their start, and little is stored")
  func longComments() {
    var writer = OggWriter()
    var bytes = writer.page([OggSample.opusHead()], isFirst: true)
    bytes += writer.pages(of: OggSample.opusTags(["TITLE=First", "PICTURE=" + String(repeating: "x", count: 300_000)]))
    bytes += writer.page([OggSample.opus()], granule: 960)
    let outcome = OggOutcome(bytes, step: 10_000)
    #expect(outcome.tags == [StreamTags(title: "First")])
    #expect(outcome.packets.count == 1)
    #expect(outcome.mostHeld < 65_536 + 80_000)
  }

  @Test("An oversized or broken set-up is refused", arguments: [0, 1, 2])
  func unfitSetup(kind: Int) {
    let setup = OggSample.vorbisSetup()
    let bad = [
      setup + [UInt8](repeating: 0, count: 66_000), Array(setup.dropLast(3)), setup.map { $0 == 0x42 ? 0x41 : $0 },
    ]
    var writer = OggWriter()
    var bytes = writer.page([OggSample.vorbisHead()], isFirst: true) + writer.page([OggSample.vorbisComments()])
    bytes += writer.pages(of: bad[kind]) + writer.page([OggSample.vorbis()])
    let outcome = OggOutcome(bytes)
    #expect(outcome.items.isEmpty)
    #expect(outcome.refusal == .other)
    #expect(OggOutcome(bytes + OggSample.vorbisStream(serial: 2)).packets.count == 12)
  }

  @Test("Nested heads with claims of long pages cost little more than good pages")
  func falsePages() {
    let noise = (0..<3_200).flatMap { _ in Self.claim + [UInt8](repeating: 255, count: 10) }
    let good = (0..<60).flatMap { _ in OggSample.opusStream() }
    let clock = ContinuousClock()
    var outcomes: [OggOutcome] = []
    let usual = clock.measure { outcomes.append(OggOutcome(good)) }
    let time = clock.measure { outcomes.append(OggOutcome(noise)) }
    #expect(outcomes.map(\.skipped) == [0, noise.count])
    // Checking every candidate would need 3,200 times 22 KB: about 50 times as long.
    #expect(time * good.count < usual * 12 * noise.count)
    let late = OggOutcome(noise + [UInt8](repeating: 0, count: 100_000) + OggSample.opusStream())
    #expect(late.packets.count == 15)
  }

  @Test("Failed heads do not hide the next page")
  func fewFalsePages() {
    let head = Self.claim + [UInt8](repeating: 255, count: 255)
    let bytes = head + OggSample.opusStream(pages: 2)
    #expect(OggOutcome(bytes).packets.count == 10)
    #expect(OggOutcome(bytes, step: 1).packets.count == 10)
  }

  @Test("Any damage is survived, and no packet is invented")
  func anyDamage() {
    var random = SeededGenerator(21)
    let clean = OggSample.vorbisStream() + OggSample.opusStream(serial: 3) + Self.pages.flatMap { $0 }
    let known = Set(OggOutcome(clean).bytes)
    for _ in 0..<150 {
      var bytes = clean
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count - 400, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<place + Int.random(in: 1...300, using: &random))
        default: bytes.insert(contentsOf: random.bytes(Int.random(in: 1...700, using: &random)), at: place)
        }
      }
      let outcome = OggOutcome(bytes, step: Int.random(in: 1...3_000, using: &random))
      #expect(outcome.bytes.allSatisfy { known.contains($0) })
    }
  }

  @Test("Pages with any content and right checksums are survived")
  func sealedNoise() {
    var random = SeededGenerator(22)
    let starts: [[UInt8]] = [
      OggSample.vorbisHead(), OggSample.vorbisComments(["TITLE=x"]), OggSample.vorbisSetup(), OggSample.opusHead(),
      OggSample.opusTags(["ARTIST=y"]), OggSample.flacHead(headers: 1), OggSample.flacComments(["a=b"]),
      OggSample.vorbis(),
      OggSample.opus(), OggSample.flac(3), [], [UInt8](repeating: 0xFF, count: 255),
    ]
    for _ in 0..<200 {
      var writers = [OggWriter(serial: 1), OggWriter(serial: 2)]
      var bytes: [UInt8] = []
      for _ in 0..<12 {
        let packets = (0..<Int.random(in: 0...3, using: &random)).map { _ -> [UInt8] in
          var packet = starts[Int.random(in: 0..<starts.count, using: &random)]
          for _ in 0..<Int.random(in: 0...2, using: &random) where !packet.isEmpty {
            packet[Int.random(in: 0..<packet.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
          }
          return packet
        }
        let which = Int.random(in: 0...1, using: &random)
        writers[which].sequence &+= random.next() % 5 == 0 ? .max : 0
        bytes += writers[which].page(
          packets, granule: [-1, 0, 960, 5_000, .max, .min][Int.random(in: 0..<6, using: &random)],
          isFirst: random.next() % 4 == 0, isLast: random.next() % 5 == 0, isContinued: random.next() % 3 == 0,
          isOpen: random.next() % 3 == 0)
      }
      let outcome = OggOutcome(bytes)
      for packet in outcome.packets {
        #expect(packet.info.mutedHead + packet.info.mutedTail <= 65_536)
        #expect(packet.info.duration >= .zero)
        #expect(packet.info.firstFrame ?? 0 >= 0)
        #expect(packet.info.byteCount == packet.bytes.count)
      }
      let pieces = OggOutcome(bytes, step: 29)
      #expect(pieces.items == outcome.items)
      #expect(pieces.skipped == outcome.skipped)
    }
  }
}

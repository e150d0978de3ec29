@testable import Framing
import MediaSupport
import SeededRandom
import Testing

struct FragmentDamageTests {
  static let writer = FragmentWriter()
  static let video = FragmentReaderTests.video
  static let units = AccessUnits.some
  static let frames = AccessUnits.frames(units)
  static let styp = BoxWriter.make("styp", Array("msdhmsdh".utf8))

  @Test func bytesFlippedAndCutNeverTrap() {
    var random = SeededGenerator(22)
    let tag = FragmentTagTests.emsg(FragmentTagTests.schemes[0], version: 1, FragmentTagTests.tag)
    let good = Self.styp + Self.writer.fragment(Self.units)
    let layouts = FragmentLayoutTests.layouts.map(\.stream)
    for round in 0..<2_000 {
      var stream =
        Self.writer.head(behind: [Self.video]) + tag + good
        + (round % 2 == 0 ? good : layouts[round % layouts.count])
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 0..<stream.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: stream[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: stream[place] = [0, 0xFF, 0x7F, 0x80][Int.random(in: 0..<4, using: &random)]
        case 2: stream.removeSubrange(place..<min(place + Int.random(in: 1...40, using: &random), stream.count))
        default: stream.insert(contentsOf: random.bytes(Int.random(in: 1...40, using: &random)), at: place)
        }
      }
      let step = [1, 7, 300, Int.max][round % 4]
      var one = FragmentReader()
      var other = FragmentReader()
      let read = ReadFragments(stream, with: &one, step: step)
      // Every sample needs at least one byte, and its ADTS header has seven.
      #expect(read.audio.count <= 8 * stream.count)
      #expect(read.tags.reduce(0) { $0 + $1.count } <= stream.count)
      #expect(read == ReadFragments(stream, with: &other, step: 64), "round \(round)")
      #expect(one.refusal == other.refusal && one.firstTime == other.firstTime)
      one.reset()
      let head = Self.writer.head()
      #expect(ReadFragments(head + good, with: &one).packets == Self.frames, "round \(round)")
    }
  }

  @Test("The next fragment after garbage is found", arguments: [1, 2, 7, 8, 9, 500, 100_000])
  func garbage(count: Int) {
    let zeros = [UInt8](repeating: 0, count: count)
    for garbage in [Build.quiet(count, seed: 3).map { $0 | 0x80 }, zeros.map { _ in 0xFF }] {
      for next in [[], Self.styp, BoxWriter.full("prft", BoxWriter.u32(1, 2, 3, 4, 5))] {
        let fragment = Self.writer.fragment(Self.units)
        let stream = Self.writer.head() + fragment + garbage + next + fragment + fragment
        for step in [1, 33, Int.max] {
          #expect(ReadFragments(stream, step: step).packets == Self.frames + Self.frames + Self.frames)
        }
      }
    }
  }

  @Test func aSearchBelievesOnlyWhatAFragmentBeginsWith() {
    let fragment = Self.writer.fragment(Self.units)
    let garbage = [UInt8](repeating: 0xFF, count: 9)
    for weak in ["stsz", "mdat", "free", "uuid"] {
      let stream = Self.writer.head() + garbage + BoxWriter.u32(60_000) + Array(weak.utf8) + fragment + fragment
      #expect(ReadFragments(stream, step: 21).packets == Self.frames + Self.frames, "\(weak)")
    }
    let long = BoxWriter.u32(70_000) + Array("styp".utf8)
    #expect(ReadFragments(Self.writer.head() + garbage + long + fragment).packets == Self.frames)
  }

  @Test func dataMayClaimToBeAsLongAsASizeCanSay() {
    let moof = FragmentWriter.moof { Self.writer.traf([FragmentWriter.run(Self.units, offset: $0 + 16)]) }
    for size in [1 << 40, 1 << 63, UInt64.max] {
      let header = BoxWriter.u32(1) + Array("mdat".utf8) + BoxWriter.number(size, 8)
      let stream = Self.writer.head() + moof + header + Self.units.flatMap { $0 }
      for step in [1, Int.max] { #expect(ReadFragments(stream, step: step).packets == Self.frames) }
    }
  }

  @Test func zerosBetweenBoxesAreGarbage() {
    let fragment = Self.writer.fragment(Self.units)
    for count in [8, 9, 64] {
      let stream = Self.writer.head() + [UInt8](repeating: 0, count: count) + fragment + fragment
      #expect(ReadFragments(stream, step: 3).packets == Self.frames + Self.frames)
    }
  }

  @Test func sizesThatCannotBeAreDamage() {
    let fragment = Self.writer.fragment(Self.units)
    let (free, style) = (Array("free".utf8), Array("styp".utf8))
    let broken: [[UInt8]] = [
      BoxWriter.u32(7) + free, BoxWriter.u32(1) + free + BoxWriter.number(15, 8),
      BoxWriter.u32(1) + free + BoxWriter.number(1 << 40, 8), BoxWriter.u32(0x7FFF_FFFF) + style,
      BoxWriter.u32(0x7FFF_FFFF) + free, BoxWriter.u32(16) + [1, 2, 3, 4],
    ]
    for header in broken {
      #expect(
        ReadFragments(Self.writer.head() + header + fragment + fragment, step: 5).packets == Self.frames + Self.frames)
    }
  }

  @Test func aFragmentThatIsTooLongIsSkippedWithItsData() {
    let padding = BoxWriter.make("free", [UInt8](repeating: 0, count: FragmentReader.maxBoxByteCount))
    let long = FragmentWriter.moof { Self.writer.traf([FragmentWriter.run(Self.units, offset: $0 + 8)]) + padding }
    var reader = FragmentReader()
    let fragment = Self.writer.fragment(Self.units)
    let mdat = BoxWriter.make("mdat", [UInt8](repeating: 0x55, count: 2_000))
    let read = ReadFragments(Self.writer.head() + fragment + long + mdat + fragment, with: &reader, step: 1_000)
    #expect(read.audio == (Self.frames + Self.frames).flatMap { $0 })
    #expect(reader.oversizedBoxCount == 1)
  }

  @Test func aHeadThatIsTooLongIsRefused() {
    var reader = FragmentReader()
    _ = ReadFragments(Self.writer.head(), with: &reader)
    let long = BoxWriter.make("moov", [UInt8](repeating: 0, count: FragmentReader.maxBoxByteCount + 1))
    #expect(ReadFragments(long + Self.writer.fragment(Self.units), with: &reader).audio.isEmpty)
    #expect(reader.refusal == .other && reader.oversizedBoxCount == 1)
  }

  @Test func moreSamplesThanAFragmentMayHaveAreDropped() {
    let units = AccessUnits.make([Int](repeating: 3, count: 8_200))
    let fragment = Self.writer.fragment(units)
    var reader = FragmentReader()
    let read = ReadFragments(Self.writer.head() + fragment + Self.writer.fragment(Self.units), with: &reader)
    #expect(read.packets == AccessUnits.frames(Array(units.prefix(8_192))) + Self.frames)
    #expect(reader.droppedSampleCount == 8)
  }

  @Test func runsThatClaimBillionsCostNothing() {
    var writer = Self.writer
    for (size, offset) in [(1, 0), (1, -1 << 31), (0, 0), (0xFFFF_FFFF, 0), (3, 0x7FFF_FFFF)] as [(UInt32, Int32)] {
      writer.defaultByteCount = size
      let run = BoxWriter.full("trun", flags: 1, BoxWriter.u32(.max, UInt32(bitPattern: offset)))
      let moof = FragmentWriter.moof { _ in writer.traf([[UInt8]](repeating: run, count: 3_000)) }
      let stream = writer.head() + moof + BoxWriter.make("mdat", [UInt8](repeating: 0x11, count: 5_000))
      let read = ReadFragments(stream + Self.writer.fragment(Self.units), step: 900)
      #expect(read.audio.count <= 8 * 5_000 + Self.frames.reduce(0) { $0 + $1.count })
      #expect(read.packets.suffix(7) == Self.frames.suffix(7))
    }
  }

  @Test func aSampleThatNoHeaderCanSayIsDropped() {
    let units = AccessUnits.make([200, 8_184, 8_185, 300, 70_000, 250])
    var reader = FragmentReader()
    let read = ReadFragments(Self.writer.head() + Self.writer.fragment(units), with: &reader, step: 1_024)
    let kept = [units[0], units[1], units[3], units[5]]
    #expect(read.audio == AccessUnits.frames(kept).flatMap { $0 })
    #expect(reader.droppedSampleCount == 2)
  }

  @Test func aSampleThatItsBoxCutsOffIsDropped() {
    let moof = FragmentWriter.moof { Self.writer.traf([FragmentWriter.run(Self.units, offset: $0 + 8)]) }
    let cut = BoxWriter.make("mdat", Self.units.flatMap { $0 }.dropLast())
    let read = ReadFragments(Self.writer.head() + moof + cut + Self.writer.fragment(Self.units))
    #expect(read.packets == Self.frames.dropLast() + Self.frames)
  }

  @Test func samplesThatOverlapComeOnce() {
    let moof = FragmentWriter.moof {
      Self.writer.traf([
        FragmentWriter.run(Self.units, offset: $0 + 8), FragmentWriter.run(Self.units, offset: $0 + 8),
      ])
    }
    let stream = Self.writer.head() + moof + BoxWriter.make("mdat", Self.units.flatMap { $0 })
    #expect(ReadFragments(stream).packets == Self.frames)
  }
}

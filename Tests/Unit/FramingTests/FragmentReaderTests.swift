import Framing
import MediaSupport
import Testing

struct FragmentReaderTests {
  static let writer = FragmentWriter()
  static let video = {
    var video = FragmentWriter(id: 2, handler: "vide")
    video.entries = [BoxWriter.make("avc1", [UInt8](repeating: 0, count: 78))]
    return video
  }()
  static let units = AccessUnits.some
  static let picture = AccessUnits.make([900, 40, 1_300], seed: 9)

  @Test("The frames equal the access units, for any pieces", arguments: [1, 3, 97, 1_000, Int.max])
  func anyCut(step: Int) {
    let batches = (0..<5).map { AccessUnits.make([200, 31, 400, 7 + $0], seed: UInt64(10 + $0)) }
    let segments = batches.enumerated().map { Self.writer.fragment($1, time: UInt64($0) * 4_096) }
    var reader = FragmentReader()
    let read = ReadFragments(Self.writer.head() + segments.flatMap { $0 }, with: &reader, step: step)
    #expect(read.packets == AccessUnits.frames(batches.flatMap { $0 }))
    #expect(read.audio == AccessUnits.frames(batches.flatMap { $0 }).flatMap { $0 })
    #expect(reader.firstTime == FragmentTime(value: 0, timescale: 44_100))
    #expect(reader.refusal == nil && reader.oversizedBoxCount == 0 && reader.droppedSampleCount == 0)
  }

  @Test func aSegmentNeedsNoNewHeadAndHasItsOwnTime() {
    var reader = FragmentReader()
    #expect(ReadFragments(Self.writer.head(), with: &reader).audio.isEmpty)
    for (index, seed) in [3, 4, 5].enumerated() {
      reader.reset()
      #expect(reader.firstTime == nil)
      let units = AccessUnits.make([100, 250, 300], seed: UInt64(seed))
      let styp = BoxWriter.make("styp", Array("msdh".utf8), BoxWriter.u32(0))
      let segment = styp + Self.writer.fragment(units, time: UInt64(7_000 + index)) + Self.writer.fragment(units)
      #expect(ReadFragments(segment, with: &reader).packets == AccessUnits.frames(units + units))
      #expect(reader.firstTime == FragmentTime(value: UInt64(7_000 + index), timescale: 44_100))
    }
  }

  @Test func resetForgetsWhatIsCutOff() {
    var reader = FragmentReader()
    _ = ReadFragments(Self.writer.head(), with: &reader)
    let segment = Self.writer.fragment(Self.units)
    for count in 1..<segment.count {
      reader.reset()
      let cut = ReadFragments(Array(segment[..<count]), with: &reader).audio
      let whole = AccessUnits.frames(Self.units).flatMap { $0 }
      #expect(cut.elementsEqual(whole.prefix(cut.count)))
      reader.reset()
      #expect(ReadFragments(segment, with: &reader).audio == whole, "cut at \(count)")
    }
  }

  @Test func times64BitsWideAreRead() {
    var writer = Self.writer
    writer.version = 1
    writer.timescale = 90_000
    var reader = FragmentReader()
    let read = ReadFragments(writer.head() + writer.fragment(Self.units, time: 1 << 40), with: &reader, step: 11)
    #expect(read.packets == AccessUnits.frames(Self.units))
    #expect(reader.firstTime == FragmentTime(value: 1 << 40, timescale: 90_000))
  }

  @Test func withoutATimeThereIsNone() {
    let moof = FragmentWriter.moof { Self.writer.traf(time: nil, [FragmentWriter.run(Self.units, offset: $0 + 8)]) }
    var reader = FragmentReader()
    let untimed = moof + BoxWriter.make("mdat", Self.units.flatMap { $0 })
    let read = ReadFragments(
      Self.writer.head() + untimed + Self.writer.fragment(Self.units, time: 5), with: &reader)
    #expect(read.packets == AccessUnits.frames(Self.units + Self.units))
    #expect(reader.firstTime == nil, "a later fragment's time is not the first one's")
  }

  @Test func everySizeOfABoxIsRead() {
    let data = Self.units.flatMap { $0 }
    for size in [BoxWriter.Size.short, .long, .toTheEnd] {
      let header = size == .long ? 16 : 8
      let moof = FragmentWriter.moof(size: size == .long ? .long : .short) {
        Self.writer.traf([FragmentWriter.run(Self.units, offset: $0 + header)])
      }
      let stream =
        Self.writer.head(size: size == .long ? .long : .short) + moof + BoxWriter.make("mdat", data, size: size)
      for step in [1, 50, Int.max] {
        #expect(ReadFragments(stream, step: step).packets == AccessUnits.frames(Self.units), "\(size)")
      }
    }
    // A box of this size extends to the end of the stream.
    let endless = BoxWriter.make("free", size: .toTheEnd)
    #expect(ReadFragments(Self.writer.head() + endless + Self.writer.fragment(Self.units)).audio.isEmpty)
  }

  @Test func boxesBetweenAreSkipped() {
    let between: [UInt8] =
      BoxWriter.full("prft", BoxWriter.u32(1, 2, 3, 4, 5)) + BoxWriter.full("sidx", [UInt8](repeating: 7, count: 3_000))
      + BoxWriter.make("free") + BoxWriter.make("uuid", [UInt8](repeating: 0, count: 70_000))
      + BoxWriter.make("mfra", BoxWriter.u32(8))
      + BoxWriter.full("emsg", Array("urn:scte:scte35:2013:bin\0\0".utf8), BoxWriter.u32(1, 2, 3, 4), [1, 2, 3])
    let split = FragmentWriter.moof {
      Self.writer.traf([FragmentWriter.run(Self.units, offset: $0 + 8 + between.count)])
    }
    let stream =
      between + Self.writer.head() + between + Self.writer.fragment(Self.units) + between + split + between
      + BoxWriter.make("mdat", Self.units.flatMap { $0 }) + between + Self.writer.fragment(Self.units)
    let read = ReadFragments(stream, step: 333)
    #expect(read.packets == AccessUnits.frames(Self.units + Self.units + Self.units))
    #expect(read.tags.isEmpty)
  }

  @Test func aNewHeadReplacesTheLast() {
    var other = Self.writer
    other.id = 7
    other.entries = [BoxWriter.entry(BoxWriter.esds(config: [0x13, 0x88]))]
    var reader = FragmentReader()
    let stream =
      Self.writer.head() + Self.writer.fragment(Self.units) + other.head() + Self.writer.fragment(Self.picture)
      + other.fragment(Self.units)
    let read = ReadFragments(stream, with: &reader)
    let expected = AccessUnits.frames(Self.units) + AccessUnits.frames(Self.units, rate: 7, channels: 1)
    #expect(read.audio == expected.flatMap { $0 })
    var refused = Self.writer
    refused.entries = [BoxWriter.entry([], type: "Opus")]
    #expect(ReadFragments(refused.head() + refused.fragment(Self.units), with: &reader).audio.isEmpty)
    #expect(reader.refusal == .opus)
    _ = ReadFragments(Self.writer.head().dropLast(40), with: &reader)
    #expect(reader.refusal == .opus, "half a head says nothing")
    reader.reset()
    #expect(ReadFragments(Self.writer.head() + Self.writer.fragment(Self.units), with: &reader).packets.count == 8)
    #expect(reader.refusal == nil)
  }

  @Test func withoutAHeadNothingIsPlayedAndNothingRefused() {
    var reader = FragmentReader()
    #expect(ReadFragments(Self.writer.fragment(Self.units), with: &reader).audio.isEmpty)
    #expect(reader.refusal == nil && reader.firstTime == nil)
  }
}

extension ReadFragments {
  init(_ stream: ArraySlice<UInt8>, with reader: inout FragmentReader) { self.init(Array(stream), with: &reader) }
}

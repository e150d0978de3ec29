import Framing
import MediaSupport
import Testing

struct FragmentLayoutTests {
  static let sound = FragmentWriter()
  static let video = FragmentReaderTests.video
  static let units = AccessUnits.some
  static let picture = AccessUnits.make([900, 40, 1_300], seed: 9)
  static let data = units.flatMap { $0 }
  static let pictureData = picture.flatMap { $0 }
  static let pictureByteCount = pictureData.count

  /// A stream that contains the audio `units` once for each `moof`.
  struct Layout: CustomTestStringConvertible {
    var testDescription: String
    var stream: [UInt8]
    var expected = AccessUnits.frames(units)
  }

  static func run(_ offset: Int?, isRich: Bool = false) -> [UInt8] {
    FragmentWriter.run(units, offset: offset, isRich: isRich)
  }

  static func mdat(_ content: [UInt8]) -> [UInt8] { BoxWriter.make("mdat", content) }

  static let both = sound.head(behind: [video])
  /// Base offset of a `moof` that directly follows `both`: the position in the stream.
  static let base = BoxWriter.number(UInt64(both.count), 8)

  static let layouts: [Layout] = [
    Layout(
      testDescription: "a position in the file",
      stream: both
        + FragmentWriter.moof { sound.traf(flags: 1, fields: base, [run($0 + 8)]) } + mdat(data)),
    Layout(
      testDescription: "a position in a file that this stream is a part of",
      stream: both
        + FragmentWriter.moof { sound.traf(flags: 1, fields: BoxWriter.number(1 << 33, 8), [run($0 + 8)]) }
        + mdat(data)),
    Layout(
      testDescription: "a position before this stream",
      stream: both
        + FragmentWriter.moof { _ in sound.traf(flags: 1, fields: BoxWriter.number(0, 8), [run(0)]) } + mdat(data)),
    Layout(
      testDescription: "the position of the data, and no offset",
      stream: both
        + FragmentWriter.moof {
          sound.traf(flags: 1, fields: BoxWriter.number(UInt64(both.count + $0 + 8), 8), [run(nil)])
        } + mdat(data)),
    Layout(
      testDescription: "neither a position nor a flag",
      stream: both + FragmentWriter.moof { sound.traf(flags: 0, [run($0 + 8)]) } + mdat(data)),
    Layout(
      testDescription: "no offset at all",
      stream: both + FragmentWriter.moof { _ in sound.traf([run(nil)]) } + mdat(data)),
    Layout(
      testDescription: "every field of a run and of a header",
      stream: both
        + FragmentWriter.moof {
          sound.traf(
            flags: 0x3B, fields: base + BoxWriter.u32(1, 1024, 99, 0), [run($0 + 8, isRich: true)])
        } + mdat(data)),
    Layout(
      testDescription: "the picture before the sound",
      stream: both
        + FragmentWriter.moof {
          video.traf([FragmentWriter.run(picture, offset: $0 + 8, isRich: true)])
            + sound.traf([run($0 + 8 + pictureByteCount)])
        } + mdat(pictureData + data)),
    Layout(
      testDescription: "the picture behind the sound",
      stream: both
        + FragmentWriter.moof {
          video.traf([FragmentWriter.run(picture, offset: $0 + 8 + data.count, isRich: true)])
            + sound.traf([run($0 + 8)])
        } + mdat(data + pictureData)),
    Layout(
      testDescription: "the picture before the sound, counted from the end of its data",
      stream: both
        + FragmentWriter.moof {
          video.traf(flags: 0, [FragmentWriter.run(picture, offset: $0 + 8)]) + sound.traf(flags: 0, [run(nil)])
        } + mdat(pictureData + data)),
    Layout(
      testDescription: "a picture of samples of one size, and no fields in its run",
      stream: both
        + FragmentWriter.moof {
          video.traf(
            flags: 0x10, fields: BoxWriter.u32(500),
            [BoxWriter.full("trun", flags: 1, BoxWriter.u32(3, UInt32($0 + 8)))])
            + sound.traf(flags: 0, [run(nil)])
        } + mdat([UInt8](repeating: 0xFF, count: 1_500) + data)),
    Layout(
      testDescription: "an mdat for each track",
      stream: both
        + FragmentWriter.moof {
          video.traf([FragmentWriter.run(picture, offset: $0 + 8)])
            + sound.traf([run($0 + 16 + pictureByteCount)])
        } + mdat(pictureData) + mdat(data)),
    Layout(
      testDescription: "an empty mdat before",
      stream: both
        + FragmentWriter.moof { sound.traf([run($0 + 16)]) } + mdat([]) + mdat(data)),
    Layout(
      testDescription: "bytes of nobody before and behind",
      stream: both
        + FragmentWriter.moof { sound.traf([run($0 + 8 + 55)]) }
        + mdat([UInt8](repeating: 0xFF, count: 55) + data + [UInt8](repeating: 0xFF, count: 9))),
    Layout(testDescription: "tracks take turns", stream: both + turns(isBackward: false)),
    Layout(
      testDescription: "tracks take turns, told from the last to the first", stream: both + turns(isBackward: true)),
    Layout(
      testDescription: "two trafs for the sound",
      stream: both
        + FragmentWriter.moof {
          sound.traf([FragmentWriter.run(Array(units[..<3]), offset: $0 + 8)])
            + sound.traf([
              FragmentWriter.run(Array(units[3...]), offset: $0 + 8 + units[..<3].reduce(0) { $0 + $1.count })
            ])
        } + mdat(data)),
    Layout(
      testDescription: "one size for all, in the fragment", stream: both + equal(inHeader: true),
      expected: equalFrames),
    Layout(
      testDescription: "one size for all, in the head",
      stream: {
        var writer = sound
        writer.defaultByteCount = 150
        return writer.head(behind: [video]) + equal(inHeader: false)
      }(), expected: equalFrames),
    Layout(
      testDescription: "empty samples between",
      stream: both
        + FragmentWriter.moof {
          sound.traf([FragmentWriter.run(units.flatMap { [[], $0, []] }, offset: $0 + 8)])
        } + mdat(data)),
  ]

  /// Alternates the samples of both tracks, one run per sample.
  static func turns(isBackward: Bool) -> [UInt8] {
    let pairs = zip(picture, units)
    let content = pairs.flatMap { $0 + $1 } + units[3...].flatMap { $0 }
    let moof = FragmentWriter.moof { byteCount in
      var place = byteCount + 8
      var (pictures, sounds): ([[UInt8]], [[UInt8]]) = ([], [])
      for (shown, heard) in pairs {
        pictures.append(FragmentWriter.run([shown], offset: place))
        sounds.append(FragmentWriter.run([heard], offset: place + shown.count))
        place += shown.count + heard.count
      }
      sounds.append(FragmentWriter.run(Array(units[3...]), offset: place))
      return video.traf(pictures) + sound.traf(isBackward ? sounds.reversed() : sounds)
    }
    return moof + mdat(content)
  }

  static let equalUnits = AccessUnits.make([Int](repeating: 150, count: 12), seed: 5)
  static let equalFrames = AccessUnits.frames(equalUnits)

  static func equal(inHeader: Bool) -> [UInt8] {
    FragmentWriter.moof {
      sound.traf(
        flags: inHeader ? 0x2_0018 : 0x2_0000, fields: inHeader ? BoxWriter.u32(1024, 150) : [],
        [BoxWriter.full("trun", flags: 1, BoxWriter.u32(12, UInt32($0 + 8)))])
    } + mdat(equalUnits.flatMap { $0 })
  }

  @Test("Every layout gives the access units", arguments: layouts)
  func everyLayout(layout: Layout) {
    for step in [1, 13, 1_000, Int.max] {
      let read = ReadFragments(layout.stream, step: step)
      #expect(read.audio == layout.expected.flatMap { $0 })
      #expect(read.packets == layout.expected)
    }
  }

  @Test("Segments as byte ranges of one file count from its start", arguments: [false, true])
  func partsOfAFile(hasPicture: Bool) {
    var reader = FragmentReader()
    _ = ReadFragments(Self.both, with: &reader)
    var position = Self.both.count
    for _ in 0..<4 {
      let base = BoxWriter.number(UInt64(position), 8)
      let picture = hasPicture ? Self.pictureByteCount : 0
      let moof = FragmentWriter.moof {
        (hasPicture ? Self.video.traf(flags: 1, fields: base, [FragmentWriter.run(Self.picture, offset: $0 + 8)]) : [])
          + Self.sound.traf(flags: 1, fields: base, [Self.run($0 + 8 + picture)])
      }
      let segment = moof + Self.mdat((hasPicture ? Self.pictureData : []) + Self.data)
      reader.reset()
      #expect(ReadFragments(segment, with: &reader, step: 77).packets == AccessUnits.frames(Self.units))
      position += segment.count
    }
  }

  @Test func aHeadOfManyTracksKeepsTheirDefaults() {
    var others = (10..<14).map { FragmentWriter(id: $0, handler: "text", defaultByteCount: $0) }
    others[2].defaultByteCount = 700
    let moof = FragmentWriter.moof {
      others[2].traf(flags: 0, [BoxWriter.full("trun", flags: 1, BoxWriter.u32(2, UInt32($0 + 8)))])
        + Self.sound.traf(flags: 0, [Self.run(nil)])
    }
    let stream =
      Self.sound.head(behind: others) + moof + Self.mdat([UInt8](repeating: 1, count: 1_400) + Self.data)
    #expect(ReadFragments(stream).packets == AccessUnits.frames(Self.units))
  }

  @Test func aFragmentOfThePictureAloneHasNoSoundAndNoTime() {
    var reader = FragmentReader()
    #expect(ReadFragments(Self.both + Self.video.fragment(Self.picture, time: 9), with: &reader).audio.isEmpty)
    #expect(reader.firstTime == nil && reader.refusal == nil)
    #expect(ReadFragments(Self.sound.fragment(Self.units, time: 7), with: &reader).packets.count == 8)
    #expect(reader.firstTime?.value == 7)
  }

  @Test func dataBeforeItsFragmentIsNotPlayed() {
    let before = Self.mdat(Self.data)
    let moof = FragmentWriter.moof { _ in Self.sound.traf([Self.run(8 - before.count)]) }
    let stream = Self.both + before + moof + Self.mdat(Self.pictureData) + Self.sound.fragment(Self.units)
    #expect(ReadFragments(stream).packets == AccessUnits.frames(Self.units))
  }

  @Test("Boxes announce audio from the header on, and not after damage")
  func announced() {
    var reader = FragmentReader()
    let isAnnounced = reader.announcesAudio
    #expect(!isAnnounced)
    _ = ReadFragments(Self.both, with: &reader)
    let isAnnouncedByHead = reader.announcesAudio
    #expect(isAnnouncedByHead)
    _ = ReadFragments(Self.mdat([UInt8](repeating: 1, count: 100_000)), with: &reader)
    let isStillAnnounced = reader.announcesAudio
    #expect(isStillAnnounced)
    _ = ReadFragments([UInt8](repeating: 3, count: 40), with: &reader)
    let isDamaged = !reader.announcesAudio
    #expect(isDamaged)
  }
}

import Blocks
import SeededRandom
import Testing
import Units

@testable import Framing

enum WavBuild {
  static func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }

  static func chunk(_ name: String, _ content: [UInt8], byteCount: Int? = nil) -> [UInt8] {
    let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
    return OggBytes.row(Array(name.utf8), little(byteCount ?? content.count, 4), content, padding)
  }

  static func format(_ tag: Int = 1, channels: Int = 2, rate: Int = 44_100, bits: Int = 16) -> [UInt8] {
    let align = channels * bits / 8
    return OggBytes.row(
      little(tag, 2), little(channels, 2), little(rate, 4), little(rate * align, 4), little(align, 2), little(bits, 2))
  }

  static func head(_ format: [UInt8] = format(), mark: String = "RIFF", chunks: [UInt8] = []) -> [UInt8] {
    OggBytes.row(Array(mark.utf8), [0xFF, 0xFF, 0xFF, 0xFF], Array("WAVE".utf8), chunks, chunk("fmt ", format))
  }

  static func list(_ texts: [(String, String)]) -> [UInt8] {
    chunk("LIST", Array("INFO".utf8) + texts.flatMap { chunk($0.0, Array($0.1.utf8) + [0]) })
  }

  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed)
    return random.bytes(count)
  }
}

struct WavReaderTests {
  static let sound = WavBuild.noise(12_000)
  static let file =
    WavBuild.head() + WavBuild.list([("INAM", "A song"), ("IART", "Somebody"), ("ICMT", "x"), ("IPRD", "It")])
    + WavBuild.chunk("data", sound)

  static func read(_ stream: [UInt8], step: Int = .max, isOpen: Bool = false) -> PullReading {
    PullReading(PcmFileReader(WavHead.self), stream, step: step, isOpen: isOpen)
  }

  /// Cuts the samples at the expected packet borders.
  static func cut(_ sound: [UInt8], frame: Int = 4) -> [[UInt8]] {
    let most = 5_032 / frame * frame
    return stride(from: 0, to: sound.count, by: most).map { Array(sound[$0..<min($0 + most, sound.count)]) }
  }

  @Test(
    "Set-up, tags and packets come in order, for any pieces (C2)",
    arguments: [1, 7, 5_000, .max])
  func wholeFile(step: Int) {
    let reading = Self.read(Self.file, step: step)
    #expect(reading.bytes == Self.cut(Self.sound))
    #expect(reading.order == "stppp")
    #expect(reading.setups == [CodecSetup(.pcm, [WavBuild.format()])])
    #expect(reading.tags == [StreamTags(title: "A song", artist: "Somebody", album: "It")])
    #expect(reading.firstFrames == [0, 1_258, 2_516])
    #expect(reading.gaps.isEmpty && reading.begins.isEmpty && reading.skipped == 0)
    let first = Self.file.count - Self.sound.count
    #expect(reading.packets.map(\.info.byteOffset) == [first, first + 5_032, first + 10_064])
    let format = PacketFormat(codec: .pcm, sampleRate: .cd, channels: 2)
    #expect(reading.packets.allSatisfy { $0.info.format == format })
    #expect(reading.packets.map(\.info.headerFrames) == [1_258, 1_258, 484])
  }

  @Test("A file cut in two anywhere reads the same")
  func everySplit() {
    let file = Self.file.dropLast(11_900)
    let whole = Self.read(Array(file))
    for place in 1..<file.count {
      var reading = PullReading()
      var reader = PcmFileReader(WavHead.self)
      reading.read(&reader, Array(file[..<place]), isOpen: true)
      reading.read(&reader, Array(file[place...]))
      #expect(reading.packets == whole.packets && reading.order == whole.order, "at \(place)")
    }
  }

  @Test("Frames of any length are cut whole", arguments: [(1, 8), (1, 24), (3, 16), (6, 24), (7, 32), (8, 32)])
  func forms(_ form: (channels: Int, bits: Int)) {
    let frame = form.channels * form.bits / 8
    let sound = Array(WavBuild.noise(frame * 500))
    let head = WavBuild.head(WavBuild.format(channels: form.channels, rate: 96_000, bits: form.bits))
    let reading = Self.read(head + WavBuild.chunk("data", sound), step: 999)
    #expect(reading.bytes == Self.cut(sound, frame: frame))
    #expect(reading.firstFrames.last == (reading.packets.count - 1) * (5_032 / frame))
  }

  @Test(
    "Without a valid length, all following bytes are audio",
    arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_F000, 0x8000_0000, 0xFFFF_FFDB, 20_000])
  func streamed(told: Int) {
    let stream = WavBuild.head() + WavBuild.chunk("data", Self.sound, byteCount: told)
    for step in [1_000, Int.max] {
      var reader = PcmFileReader(WavHead.self)
      var reading = PullReading()
      reading.read(&reader, stream, step: step)
      #expect(reading.bytes == Self.cut(Self.sound))
      #expect(reader.samples?.byteCount == (told == 20_000 ? told : nil))
      #expect(reader.samples?.firstByte == 44)
      #expect(reader.samples?.frameByteCount == 4 && reader.samples?.rate == .cd)
    }
    #expect(Self.read(stream, isOpen: true).bytes == Array(Self.cut(Self.sound).dropLast()))
  }

  @Test("64-bit lengths are read", arguments: ["RF64", "BW64"])
  func longFile(mark: String) {
    func stream(_ byteCount: Int) -> [UInt8] {
      let long = WavBuild.little(0, 8) + WavBuild.little(byteCount, 8) + WavBuild.little(0, 12)
      return WavBuild.head(mark: mark, chunks: WavBuild.chunk("ds64", long))
        + WavBuild.chunk("data", Self.sound, byteCount: 0xFFFF_FFFF)
    }
    for (told, known) in [(12_000, 12_000), (0, nil), (1 << 40, 1 << 40), (-1, nil), (Int.max, nil)] as [(Int, Int?)] {
      var reader = PcmFileReader(WavHead.self)
      var reading = PullReading()
      reading.read(&reader, stream(told) + (told == 12_000 ? WavBuild.chunk("LIST", Self.sound) : []), step: 700)
      #expect(reading.bytes == Self.cut(Self.sound))
      #expect(reader.samples?.byteCount == known)
    }
  }

  @Test("A truncated frame is dropped")
  func tornFrame() {
    for told in [12_000, 11_999, 0] {
      let stream = WavBuild.head() + WavBuild.chunk("data", Array(Self.sound.prefix(11_999)), byteCount: told)
      let reading = Self.read(told == 11_999 ? stream : stream.dropLast(), step: 800)
      #expect(reading.bytes == Self.cut(Array(Self.sound.prefix(11_996))))
      #expect(reading.skipped == 3)
    }
  }

  @Test("Unknown chunks and ID3 tags may be skipped")
  func absent() {
    let stream =
      Build.id3(Build.quiet(300, seed: 2)) + WavBuild.head(chunks: WavBuild.chunk("JUNK", WavBuild.noise(50_001)))
      + WavBuild.chunk("data", Self.sound)
    for step in [1, 40, 4_096] {
      var reader = PcmFileReader(WavHead.self)
      var reading = PullReading()
      var place = 0
      var asked = 0
      while place < stream.count {
        if reader.absentByteCount > 0 {
          asked = max(asked, reader.absentByteCount)
          place += reader.absentByteCount
          reader.passAbsent()
          #expect(reader.absentByteCount == 0)
        } else {
          let end = min(place + step, stream.count)
          reading.read(&reader, Array(stream[place..<end]), isOpen: end < stream.count)
          place = end
        }
      }
      #expect(reading.bytes == Self.cut(Self.sound))
      #expect(reading.packets.first?.info.byteOffset == stream.count - Self.sound.count)
      #expect(asked > 40_000)
    }
  }

  @Test(
    "A second file has its own set-up; chunks and tags between are not audio", arguments: [1, 333, .max])
  func chain(step: Int) {
    let other = WavBuild.head(WavBuild.format(channels: 1, rate: 8_000)) + WavBuild.chunk("data", [1, 2, 3, 4])
    let between = WavBuild.chunk("bext", [1, 2, 3]) + WavBuild.list([("INAM", "Late")])
    let reading = Self.read(Self.file + between + other + Build.id3v1 + Self.file, step: step)
    #expect(reading.bytes == Self.cut(Self.sound) + [[1, 2, 3, 4]] + Self.cut(Self.sound))
    #expect(reading.begins == [3, 4])
    #expect(reading.order == "stpppstpstppp")
    #expect(reading.tags.map(\.title) == ["A song", nil, "A song"])
    #expect(reading.firstFrames == [0, 1_258, 2_516, 0, 0, 1_258, 2_516])
    #expect(reading.skipped == 0)
  }

  @Test("The same file read from another byte is cut at the same positions", arguments: [nil, 12_000] as [Int?])
  func readFromAByte(told: Int?) {
    let file = WavBuild.head() + WavBuild.chunk("data", Self.sound, byteCount: told ?? 0)
    let whole = Self.read(file)
    var reader = PcmFileReader(WavHead.self)
    var first = PullReading()
    first.read(&reader, Array(file.prefix(100)), isOpen: true)
    for offset in [1, 43, 44, 45, 5_075, 5_076, 5_077, 10_108, 10_109, file.count - 1] {
      for step in [1, 4_000] {
        reader.reset(followsGap: offset == 45, at: offset)
        var reading = PullReading()
        reading.read(&reader, Array(file[offset...]), step: step)
        let expected = whole.packets.filter { $0.info.byteOffset >= offset }
        #expect(reading.bytes == expected.map(\.bytes), "from \(offset)")
        #expect(reading.packets.map(\.info.byteOffset) == expected.map(\.info.byteOffset))
        #expect(reading.firstFrames == expected.map(\.info.firstFrame))
        #expect(reading.gaps == (offset == 45 ? [0] : []))
        #expect(reading.order == String(repeating: "p", count: expected.count))
      }
    }
    reader.reset(followsGap: false, at: 1 << 40)
    #expect(reader.samples != nil)
    reader.reset(followsGap: false)
    #expect(reader.samples == nil)
    var again = PullReading()
    again.read(&reader, file)
    #expect(again.packets == whole.packets && again.order == whole.order)
  }

  @Test(
    "Other codecs are refused, and their bytes skipped",
    arguments: [
      WavBuild.head(WavBuild.format(2, bits: 4)), WavBuild.head(WavBuild.format(6, bits: 8)),
      WavBuild.head(WavBuild.format(0x55, bits: 8)), WavBuild.head(WavBuild.format(3, bits: 64)),
      WavBuild.head(mark: "RIFX"), WavBuild.head([]), Array("RIFF\0\0\0\0WAVE".utf8),
    ])
  func refused(head: [UInt8]) {
    let reading = Self.read(head + WavBuild.chunk("data", Self.sound), step: 100)
    #expect(reading.refusal == .other)
    #expect(reading.order == "")
    #expect(reading.mostHeld < 200)
  }

  @Test("Garbage before a file is skipped, and is a gap")
  func garbage() {
    for step in [1, 100, Int.max] {
      let reading = Self.read(Build.quiet(700, seed: 1) + "RIFF".utf8 + Self.file, step: step)
      #expect(reading.bytes == Self.cut(Self.sound))
      #expect(reading.gaps == [0] && reading.begins.isEmpty)
      #expect(reading.skipped == 704)
    }
    #expect(Self.read(WavBuild.noise(50_000)).skipped == 50_000)
  }

  @Test("A list is read up to 64 KiB, and impossible lengths in it lead nowhere")
  func lists() {
    let long = WavBuild.list([("INAM", "First"), ("ICMT", String(repeating: "la ", count: 40_000)), ("IART", "Late")])
    let reading = Self.read(WavBuild.head(chunks: long) + WavBuild.chunk("data", [1, 2, 3, 4]), step: 1_000)
    #expect(reading.tags == [StreamTags(title: "First")])
    #expect(reading.mostHeld <= 65_536)
    let cut = WavBuild.chunk("LIST", "INFO".utf8 + WavBuild.chunk("INAM", Array("Cut".utf8), byteCount: 0xFFFF_FFFF))
    #expect(
      Self.read(WavBuild.head(chunks: cut) + WavBuild.chunk("data", [1, 2, 3, 4])).tags == [StreamTags(title: "Cut")])
  }

  @Test("Any damage is survived")
  func anyDamage() {
    var random = SeededGenerator(21)
    let clean = Self.file.prefix(400) + Self.file.prefix(300)
    for _ in 0..<300 {
      var bytes = Array(clean)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let reading = Self.read(bytes, step: Int.random(in: 1...300, using: &random))
      #expect(reading.packetByteCount + reading.skipped <= bytes.count)
    }
  }
}

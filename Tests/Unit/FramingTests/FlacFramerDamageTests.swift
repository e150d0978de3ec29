import Blocks
import SeededRandom
import Testing
import Units

@testable import Framing

struct FlacFramerDamageTests {
  static let frames = FlacFramerTests.frames
  static let head = FlacBuild.head()
  static let sound = frames.flatMap { $0 }

  static func read(_ stream: [UInt8], step: Int = .max) -> PullReading { FlacFramerTests.read(stream, step: step) }

  @Test("A changed byte costs its frame, or also the previous one if in its header", arguments: 0..<3)
  func oneByte(bit: Int) {
    let form = FlacBuild.Form(blockSize: 20)
    let frames = (0..<6).map { FlacBuild.frame($0, form) }
    let clean = FlacBuild.head(form) + frames.flatMap { $0 }
    let start = clean.count - frames[3...].joined().count
    for place in 0..<frames[3].count {
      var stream = clean
      stream[start + place] ^= 1 << UInt8(bit * 3)
      let reading = Self.read(stream, step: 50)
      let lost = place < FlacBuild.header(3, form).count ? 2...3 : 3...3
      #expect(reading.bytes == (0..<6).filter { !lost.contains($0) }.map { frames[$0] }, "byte \(place)")
      #expect(reading.gaps == [lost.lowerBound])
      #expect(reading.skipped == frames[lost].joined().count)
    }
  }

  @Test("Removed or inserted bytes cost their frame")
  func lostAndGained() {
    let before = Self.head + Self.frames[..<5].flatMap { $0 }
    let after = Self.frames[6...].flatMap { $0 }
    let torn = Self.frames[5]
    for middle in [
      torn.prefix(100) + torn.dropFirst(250), torn.prefix(100) + Build.quiet(900, seed: 5) + torn.dropFirst(100),
    ] {
      for step in [1, 64, Int.max] {
        let reading = Self.read(before + middle + after, step: step)
        #expect(reading.bytes == Array(Self.frames[..<5] + Self.frames[6...]))
        #expect(reading.gaps == [5])
        #expect(reading.firstFrames == (0..<13).filter { $0 != 5 }.map { $0 * 96 })
        #expect(reading.skipped == middle.count)
      }
    }
  }

  @Test("Missing frames leave their neighbours valid, and the gap is reported")
  func missingFrames() {
    let kept = Self.frames[..<4] + Self.frames[8...]
    for step in [1, 64, Int.max] {
      let reading = Self.read(Self.head + kept.flatMap { $0 }, step: step)
      #expect(reading.bytes == Array(kept))
      #expect(reading.gaps == [4])
      #expect(reading.skipped == 0)
    }
  }

  @Test("Valid headers with expected numbers inside frames do not mislead")
  func falseHeaders() {
    var random = SeededGenerator(8)
    let frames = (0..<12).map { number -> [UInt8] in
      var frame = Array(Self.frames[number].dropLast(2))
      for due in [number + 1, number + 2, number] {
        let place = Int.random(in: 20..<frame.count - 20, using: &random)
        let planted = FlacBuild.header(due)
        frame.replaceSubrange(place..<place + planted.count, with: planted)
      }
      return FlacBuild.sealed(frame)
    }
    let sound = frames.flatMap { $0 }
    for step in [1, 97, Int.max] { #expect(Self.read(Self.head + sound, step: step).bytes == frames) }
    for offset in stride(from: 1, to: frames[0].count, by: 7) {
      #expect(Self.read(Array(sound[offset...])).bytes == Array(frames[1...]), "joined at \(offset)")
    }
  }

  @Test("Planted headers with other form or number at a zero checksum end no frame")
  func foreignHeader() {
    let inner = FlacBuild.sealed(Array(Self.frames[0].dropLast(2)))
    let foreign = [FlacBuild.Form(rate: 48_000), FlacBuild.Form(channels: 1), FlacBuild.Form(bits: 24)]
    let headers = (foreign + [FlacBuild.Form(isVariable: true)]).map { FlacBuild.header(1, $0) }
    for header in headers + [0, 2, 7].map({ FlacBuild.header($0) }) {
      let frame = FlacBuild.sealed(inner + header + Build.quiet(40, seed: 2))
      let reading = Self.read(Self.head + frame + Array(Self.frames[1...].joined()))
      #expect(reading.bytes == [frame] + Self.frames[1...])
    }
  }

  @Test("A join inside the stream builds a set-up from the headers", arguments: [false, true])
  func joined(isVariable: Bool) throws {
    let form = FlacBuild.Form(rate: 48_000, channels: 3, bits: 20, blockSize: 100, isVariable: isVariable)
    let frames = (700..<708).map { FlacBuild.frame($0, form) }
    for offset in [0, 1, 50, frames[0].count - 1, frames[0].count] {
      let lost = offset == 0 ? 0 : 1
      let reading = Self.read(Array(frames.joined().dropFirst(offset)), step: 33)
      #expect(reading.bytes == Array(frames[lost...]))
      #expect(reading.gaps == (offset == 0 || offset == frames[0].count ? [] : [0]))
      #expect(reading.firstFrames == (700 + lost..<708).map { $0 * 100 })
      #expect(reading.order == "st" + String(repeating: "p", count: 8 - lost))
      let setup = try #require(reading.setups.first?.headers.first)
      let parsed = FlacStreamInfo(setup.span)
      let info = try #require(parsed)
      #expect(setup.count == 34 && info.sampleRate == SampleRate(48_000) && info.channels == 3)
      #expect(info.bitsPerSample == 20 && info.sampleCount == nil && info.maxFrameByteCount == nil)
      #expect(info.blockSizes == (isVariable ? 16...65_535 : 100...100))
    }
  }

  @Test("After a join, frames that refer to STREAMINFO wait for it")
  func joinedUntold() {
    let form = FlacBuild.Form(tellsAll: false)
    let frames = (5..<9).map { FlacBuild.frame($0, form) }
    #expect(Self.read(frames.flatMap { $0 }).order == "")
    let chained = Self.read(frames.flatMap { $0 } + FlacBuild.head(form) + frames.flatMap { $0 })
    #expect(chained.bytes == frames)
    #expect(chained.begins.isEmpty)
  }

  @Test("A single last frame after a join is short, and its position unknown")
  func joinedAtTheEnd() {
    #expect(Self.read(Array(Self.sound.suffix(Self.frames[12].count + 9))).firstFrames == [nil])
    #expect(Self.read(Self.frames[0]).firstFrames == [0])
  }

  @Test("The same file read from another byte has the same numbers and positions", arguments: [false, true])
  func readFromAByte(followsGap: Bool) {
    let form = FlacBuild.Form(tellsAll: false)
    let frames = (0..<6).map { FlacBuild.frame($0, form) }
    let file = FlacBuild.head(form) + frames.flatMap { $0 }
    let whole = Self.read(file)
    var framer = FlacFramer()
    var first = PullReading()
    first.read(&framer, Array(file.prefix(500)), isOpen: true)
    let facts = framer.headerFacts
    for offset in [1, 42, 60, file.count - 700, whole.packets[3].info.byteOffset] {
      framer.reset(followsGap: followsGap, at: offset)
      var reading = PullReading()
      reading.read(&framer, Array(file[offset...]), step: 50)
      let expected = whole.packets.filter { $0.info.byteOffset >= offset }
      #expect(reading.bytes == expected.map(\.bytes))
      #expect(reading.firstFrames == expected.map(\.info.firstFrame))
      #expect(reading.packets.map(\.info.byteOffset) == expected.map(\.info.byteOffset))
      #expect(reading.gaps == (followsGap || reading.skipped > 0 ? [0] : []))
      #expect(reading.setups.isEmpty && reading.tags.isEmpty)
      #expect(framer.headerFacts == facts)
    }
    framer.reset(followsGap: false)
    #expect(framer.headerFacts == nil)
    var again = PullReading()
    again.read(&framer, file)
    #expect(again.packets == whole.packets && again.setups == whole.setups)
  }

  @Test("A stream whose frames change form is set up again")
  func silentChange() {
    let form = FlacBuild.Form(rate: 48_000, channels: 1)
    let others = (0..<6).map { FlacBuild.frame($0, form) }
    let reading = Self.read(Self.head + Self.sound + others.flatMap { $0 }, step: 500)
    #expect(reading.bytes == Array(Self.frames.dropLast()) + others)
    #expect(reading.setups.count == 2 && reading.tags.count == 1)
    #expect(reading.begins == [12] && reading.gaps == [12])
  }

  @Test("A stream inside another's torn frame is found")
  func tornChain() {
    let torn = Self.head + Self.sound.dropLast(30)
    for step in [1, 77, Int.max] {
      let reading = Self.read(torn + FlacFramerTests.file, step: step)
      #expect(reading.bytes == Array(Self.frames.dropLast()) + Self.frames)
      #expect(reading.begins == [12] && reading.gaps == [12])
    }
  }

  @Test("An impossible head does not prevent playback", arguments: [0, 1, 2])
  func badHead(kind: Int) {
    var info = FlacBuild.info()
    if kind == 0 { (info[10], info[11], info[12]) = (0, 0, 0) }
    let blocks: [UInt8] =
      switch kind {
      case 0: FlacBuild.block(0, info, isLast: true)
      case 1: FlacBuild.block(0, [1, 2, 3], isLast: true)
      default: FlacBuild.block(127, info)
      }
    let reading = Self.read("fLaC".utf8 + blocks + Self.sound)
    #expect(reading.bytes == Self.frames)
    #expect(reading.setups.count == 1)
  }

  @Test("A frame has a maximum length, and the next one is found after more")
  func tooLong() {
    let noise = Build.quiet(FlacFramer.maxFrameByteCount + 150_000, seed: 4)
    let reading = Self.read(Self.head + FlacBuild.header(0) + noise + Self.sound, step: 100_000)
    #expect(reading.bytes == Self.frames)
    #expect(reading.mostHeld <= FlacFramer.maxFrameByteCount + 64)
    #expect(reading.gaps == [0])
  }

  @Test(
    "Misleading data costs no more time than other data",
    arguments: [
      [0xFF, 0xF8], [0xFF], FlacBuild.header(1), FlacBuild.header(1) + [0], Array("fLaC".utf8), Array("TAG".utf8),
      FlacBuild.head(), FlacBuild.sealed(FlacBuild.header(1)), FlacBuild.frame(0, isConstant: true),
    ] as [[UInt8]])
  func hostile(filler: [UInt8]) {
    let bytes = Array((0..<8_000 / filler.count).map { _ in filler }.joined())
    let cut = Self.head + Array(Self.frames[0].dropLast())
    for stream in [Self.head + bytes, [1] + bytes, cut + bytes] {
      let reading = Self.read(stream + Self.sound, step: 2_000)
      #expect(reading.bytes.suffix(11) == Self.frames.suffix(11))
      #expect(reading.mostHeld <= FlacFramer.maxFrameByteCount + 64)
    }
  }

  @Test("Any damage is survived, and every returned frame was sent")
  func anyDamage() {
    var random = SeededGenerator(13)
    let clean = FlacFramerTests.file + FlacFramerTests.file
    let sent = Set(Self.frames)
    for _ in 0..<80 {
      var bytes = clean
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count - 400, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<place + Int.random(in: 1...300, using: &random))
        default: bytes.insert(contentsOf: random.bytes(Int.random(in: 1...700, using: &random)), at: place)
        }
      }
      let reading = Self.read(bytes, step: Int.random(in: 1...3_000, using: &random))
      #expect(reading.bytes.allSatisfy { sent.contains($0) })
    }
  }

  @Test("Noise gives no frame")
  func noise() {
    var random = SeededGenerator(14)
    let reading = Self.read(random.bytes(300_000), step: 4_096)
    #expect(reading.order == "")
    #expect(reading.skipped == 300_000)
  }

  @Test("The checksum between two positions is known by their marks")
  func marks() {
    var random = SeededGenerator(15)
    for length in [1, 2, 500, 32_767, 32_768, 70_000] {
      let before = random.bytes(37)
      let frame = FlacBuild.sealed(random.bytes(length))
      var crc: UInt16 = 0
      for byte in before { crc = FlacChecksum.crc16(crc, byte) }
      let first = FlacMark.mark(crc, at: 1_000_037)
      for byte in frame { crc = FlacChecksum.crc16(crc, byte) }
      let end = 1_000_037 + frame.count
      #expect(FlacMark.mark(crc, at: end) == first)
      #expect(FlacMark.mark(crc ^ 1, at: end) != first)
      #expect(FlacMark.mark(crc, at: end + 1) != first)
    }
  }
}

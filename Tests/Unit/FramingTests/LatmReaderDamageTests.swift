import Framing
import SeededRandom
import Testing

struct LatmReaderDamageTests {
  static let units = LatmReaderTests.units(30, lengths: 50...250)
  static let shapes = LatmReaderTests.shapes.filter { $0.excess == 0 }

  static func wanted(_ units: some Sequence<[UInt8]>) -> [[UInt8]] { units.map { LatmShape.adts($0) } }

  @Test("Garbage before and between frames costs no frame", arguments: [1, 2, 3, 700, 40_000])
  func garbage(count: Int) {
    let frames = LatmShape().frames(Self.units)
    let stream =
      Build.quiet(count, seed: 5) + frames[..<10].flatMap { $0 } + Build.quiet(count, seed: 6)
      + frames[10...].flatMap { $0 }
    for step in [1, 100, .max] { #expect(LatmHeard(stream, step: step).sound == Self.wanted(Self.units)) }
  }

  @Test("A false syncword delays frames and costs none", arguments: [0, 3, 100, 2_000, 0x1FFF])
  func falseSyncword(length: Int) {
    let frames = LatmShape().frames(Self.units + Self.units)
    let planted = [0x56, 0xE0 | UInt8(length >> 8), UInt8(length & 0xFF), 0x11, 0x12]
    let stream = planted + frames[..<5].flatMap { $0 } + planted + frames[5...].flatMap { $0 }
    for step in [1, 100, .max] {
      #expect(LatmHeard(stream, step: step).sound == Self.wanted(Self.units + Self.units))
    }
  }

  @Test("A false frame with oversized parts hides no frame inside")
  func falseFrame() {
    let frames = LatmShape(interval: 4).frames(Self.units)
    let within = frames[5..<8].flatMap { $0 }
    let length = 13 + within.count
    var stream = frames[..<5].flatMap { $0 }
    stream += [1, 0x56, 0xE0 | UInt8(length >> 8), UInt8(length & 0xFF)]
    stream += [UInt8](repeating: 0xFF, count: 13)
    stream += within + frames[8...].flatMap { $0 }
    for step in [1, 100, .max] { #expect(LatmHeard(stream, step: step).sound == Self.wanted(Self.units)) }
  }

  @Test func lostBytesCostTheTornFrames() {
    let units = Self.units
    let frames = LatmShape().frames(units)
    let torn = frames[..<8].flatMap { $0 } + frames[8].prefix(30) + frames[9].suffix(20) + frames[10...].flatMap { $0 }
    let heard = LatmHeard(torn).sound
    #expect(heard.prefix(8) == Self.wanted(units[..<8])[...])
    #expect(heard.suffix(18) == Self.wanted(units[12...])[...])
  }

  @Test("A frame with a damaged length breaks the sequence, and the next is found")
  func damagedLength() {
    let units = Self.units
    for change in [-30, -1, 1, 30, 2_000] {
      var frames = LatmShape().frames(units)
      let length = frames[8].count - 3 + change
      frames[8][1] = 0xE0 | UInt8(length >> 8)
      frames[8][2] = UInt8(length & 0xFF)
      let heard = LatmHeard(frames.flatMap { $0 }, step: 64)
      #expect(heard.sound == Self.wanted(units[..<8] + units[9...]), "length \(change)")
      #expect(heard.isLocked)
    }
  }

  @Test("Damage of all kinds: no trap, bounded output, equal in any pieces, and the search continues")
  func damage() {
    var random = SeededGenerator(11)
    let tail = LatmReaderTests.units(90, seed: 12, lengths: 100...150)
    let ending = Self.wanted(tail.suffix(10))[...]
    // Longer than the longest frame, so that a false syncword cannot delay the last frames.
    let end = LatmShape(interval: 4).frames(tail).flatMap { $0 }
    let streams = Self.shapes.map { $0.frames(Self.units).flatMap { $0 } }
    var (unlike, unbounded, unframed, lost) = (0, 0, 0, 0)
    for run in 0..<500 {
      var bytes = streams[run % streams.count]
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        } else {
          bytes.removeSubrange(place..<min(place + Int.random(in: 1...300, using: &random), bytes.count))
        }
      }
      bytes += end
      let heard = LatmHeard(bytes)
      if run % 20 == 0, LatmHeard(bytes, step: 1) != heard { unlike += 1 }
      if LatmHeard(bytes, step: Int.random(in: 2...3_000, using: &random)) != heard { unlike += 1 }
      // A unit of one byte needs two input bytes and yields eight output bytes.
      if heard.sound.reduce(0, { $0 + $1.count }) > 4 * bytes.count { unbounded += 1 }
      if heard.sound.contains(where: { $0.adtsHeader?.byteCount != $0.count }) { unframed += 1 }
      if heard.sound.suffix(10) != ending { lost += 1 }
    }
    #expect(unlike == 0)
    #expect(unbounded == 0)
    #expect(unframed == 0)
    #expect(lost == 0)
  }

  @Test("Noise, also after syncwords, neither traps nor plays for long")
  func noise() {
    var random = SeededGenerator(13)
    var unlike = 0
    var sounding = 0
    for _ in 0..<300 {
      var bytes = random.bytes(Int.random(in: 0...9_000, using: &random))
      // Short frames in a row confirm each other.
      while bytes.count < 12_000, Bool.random(using: &random) || bytes.count < 9_500 {
        let length = Int.random(in: 0...60, using: &random)
        bytes += [0x56, 0xE0, UInt8(length)] + random.bytes(length)
      }
      let heard = LatmHeard(bytes)
      if heard != LatmHeard(bytes, step: Int.random(in: 1...500, using: &random)) { unlike += 1 }
      sounding += heard.sound.reduce(0) { $0 + $1.count } > 4 * bytes.count ? 1 : 0
    }
    #expect(unlike == 0 && sounding == 0)
  }

  @Test("Frame-like bytes everywhere take linear time", arguments: [1, 100_000])
  func worstBytes(step: Int) {
    // A frame starts at every 16th byte. Its end meets another frame, but its 64 units do not fit.
    let frame = LatmShape(unitCount: 64).frame([[UInt8](repeating: 0xFF, count: 5)], isConfigured: true)
    let length = 16 * 500 - 3
    let head = [0x56, 0xE0 | UInt8(length >> 8), UInt8(length & 0xFF)] + frame.dropFirst(3)
    let bytes = (0..<20_000).flatMap { _ in head.prefix(16) }
    var heard: LatmHeard?
    let time = ContinuousClock().measure { heard = LatmHeard(bytes, step: step) }
    #expect(heard?.sound == [] && heard?.isLocked == false)
    // A search that restarts at each byte would take hours.
    #expect(time < .seconds(60))
  }
}

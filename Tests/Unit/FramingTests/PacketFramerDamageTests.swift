import Framing
import SeededRandom
import Testing
import Units

struct PacketFramerDamageTests {
  static let mp3 = PacketFramerTests.mp3
  static let aac = PacketFramerTests.aac

  @Test(arguments: [mp3, aac])
  func noiseBetweenPacketsCostsThePacketBeforeIt(packets: [[UInt8]]) {
    let noise = Build.quiet(700, seed: 99)
    let bytes = packets[..<5].flatMap { $0 } + noise + packets[5...].flatMap { $0 }
    for step in [1, 100, Int.max] {
      let framed = Framed(bytes, step: step)
      #expect(framed.bytes == Array(packets[..<4] + packets[5...]))
      #expect(framed.skipped == 700 + packets[4].count)
      #expect(framed.packets.map(\.info.followsGap) == (0..<11).map { $0 == 4 })
    }
  }

  @Test("Garbage of any length after the last packet costs nothing", arguments: [mp3, aac], [1, 5, 700, 40_000])
  func garbageBehindTheLastPacket(packets: [[UInt8]], count: Int) {
    for step in count > 700 ? [1_000, Int.max] : [1, 100, Int.max] {
      let framed = Framed(packets.flatMap { $0 } + Build.quiet(count, seed: 98), step: step)
      #expect(framed.bytes == packets)
      #expect(framed.skipped == count)
    }
  }

  @Test(
    "A packet cut off by the end is dropped, with false headers inside",
    arguments: [(mp3, Build.mpeg(bitRate: 5, rate: 1)), (aac, Build.adts(byteCount: 60, channels: 1))], 0...3)
  func falseHeaderAtTheEnd(_ stream: (packets: [[UInt8]], planted: [UInt8]), rest: Int) {
    let whole = stream.packets.dropLast()
    let torn = stream.packets[whole.count].prefix(100) + stream.planted + [UInt8](repeating: 7, count: rest)
    #expect(torn.count < stream.packets[whole.count].count)
    for step in [1, 100, Int.max] { #expect(Framed(whole.flatMap { $0 } + torn, step: step).bytes == Array(whole)) }
  }

  @Test("A tag known only by its end is garbage, and costs nothing either", arguments: [mp3, aac])
  func tagWithoutAHead(packets: [[UInt8]]) {
    let ape = Build.ape(Build.quiet(900, seed: 97)).dropFirst(32)
    let framed = Framed(packets.flatMap { $0 } + ape + Build.id3v1)
    #expect(framed.bytes == packets)
  }

  @Test(arguments: [mp3, aac])
  func lostBytesCostTheTornPacketOnly(packets: [[UInt8]]) {
    let bytes = packets.flatMap { $0 }
    let start = packets[..<5].reduce(0) { $0 + $1.count }
    let framed = Framed(Array(bytes[..<(start + 20)] + bytes[min(start + 320, bytes.count)...]))
    let lost = packets[5].count < 320 ? 2 : 1
    #expect(framed.bytes.suffix(12 - 5 - lost) == packets[(5 + lost)...])
    #expect(framed.bytes.prefix(5) == packets[..<5])
    #expect(framed.packets.filter(\.info.followsGap).count == 1)
  }

  @Test func aBrokenHeaderCostsItsPacketAndTheOneBefore() {
    for index in 0..<4 {
      var packets = Self.mp3
      packets[6][index] ^= index < 3 ? 0xFF : 0x00
      let framed = Framed(packets.flatMap { $0 })
      let kept = index < 3 ? Array(packets[..<5] + packets[7...]) : packets
      #expect(framed.bytes == kept)
    }
  }

  @Test func everySingleByteMayBreak() {
    let bytes = Self.mp3.prefix(6).flatMap { $0 }
    let whole = Set(Self.mp3.prefix(6))
    for place in stride(from: 0, to: bytes.count, by: 5) {
      var broken = bytes
      broken[place] ^= 0xFF
      let framed = Framed(broken)
      let strangers = framed.bytes.filter { !whole.contains($0) }
      // A break in the first row of headers costs this row.
      #expect(framed.packets.count >= 3, "byte \(place)")
      #expect(strangers.count <= 1, "byte \(place)")
    }
  }

  @Test func falseHeadersInPayloadsMisleadNobody() {
    var random = SeededGenerator(7)
    let packets = (0..<10).map { index -> [UInt8] in
      var packet = Build.mpeg(padding: index % 3 == 0, seed: UInt64(index))
      for _ in 0..<6 {
        let place = Int.random(in: 8..<packet.count - 8, using: &random)
        let fake = Bool.random(using: &random) ? Build.mpegHeader() : Build.adtsHeader(byteCount: 372)
        packet.replaceSubrange(place..<place + fake.count, with: fake)
      }
      return packet
    }
    let bytes = packets.flatMap { $0 }
    #expect(Framed(bytes).bytes == packets)
    for offset in 1..<packets[0].count {
      let framed = Framed(Array(bytes[offset...]))
      #expect(framed.bytes == Array(packets[1...]), "joined at \(offset)")
    }
  }

  @Test func noiseWithPlantedHeadersIsNoPacket() {
    var random = SeededGenerator(2026)
    var noise = random.bytes(1 << 20)
    // Every 2,000 bytes: two headers at the distance that the first one announces, and three random headers.
    for start in stride(from: 1, to: noise.count - 2000, by: 2000) {
      noise.replaceSubrange(start..<start + 4, with: Build.mpegHeader())
      noise.replaceSubrange(start + 417..<start + 421, with: Build.mpegHeader())
      for _ in 0..<3 {
        let place = start + Int.random(in: 900..<1900, using: &random)
        let fake = Bool.random(using: &random) ? Build.mpegHeader() : Build.adtsHeader(byteCount: 372)
        noise.replaceSubrange(place..<place + fake.count, with: fake)
      }
    }
    let framed = Framed(noise, step: 4096)
    #expect(framed.packets.isEmpty)
    #expect(framed.skipped == noise.count)

    let around = Framed(Self.mp3.flatMap { $0 } + noise + Self.aac.flatMap { $0 }, step: 4096)
    #expect(around.bytes == Self.mp3 + Self.aac)
  }

  @Test(
    arguments: [
      [0xFF, 0xFB, 0x90, 0x64], [0xFF, 0xFB, 0x94, 0x64], [0xFF, 0xFB, 0x92, 0x64], [0xFF, 0xFB, 0x00, 0x64], [0xFF],
      [0xFF, 0xFB], [0xFF, 0xF1, 0x50, 0x80, 0x00, 0xFF, 0xFC], [0xFF, 0xF1, 0x50, 0x80, 0x0E, 0x1F, 0xFC],
      [0xFF, 0xE3],
      [0x00], [0x49, 0x44, 0x33],
    ] as [[UInt8]])
  func repeatedHeadersAreNoPackets(filler: [UInt8]) {
    let bytes = (0..<5000).flatMap { _ in filler }
    #expect(Framed(bytes).packets.isEmpty)
    #expect(Framed([0x20] + bytes, step: 1000).packets.isEmpty)
    #expect(Framed(bytes + Self.mp3.flatMap { $0 }).bytes.suffix(11) == Self.mp3[1...])
  }

  @Test func noPieceOfNoiseIsAPacket() {
    var random = SeededGenerator(11)
    var count = 0
    for _ in 0..<100_000 {
      let noise = random.bytes(Int.random(in: 0...96, using: &random))
      count += Framed(noise, step: 17).packets.count
    }
    #expect(count == 0)
  }

  @Test func anyDamageIsSurvived() {
    var random = SeededGenerator(12)
    let clean = (Self.mp3 + Self.aac).flatMap { $0 } + Build.id3(Build.mpeg()) + Self.aac.flatMap { $0 }
    for _ in 0..<300 {
      var bytes = clean
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count - 400, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<place + Int.random(in: 1...300, using: &random))
        default: bytes.insert(contentsOf: random.bytes(Int.random(in: 1...700, using: &random)), at: place)
        }
      }
      let framed = Framed(bytes, step: Int.random(in: 1...3000, using: &random))
      #expect(framed.skipped + framed.tagged + framed.bytes.reduce(0) { $0 + $1.count } == bytes.count)
    }
  }
}

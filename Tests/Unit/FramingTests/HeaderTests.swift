import Framing
import SeededRandom
import Testing
import Units

struct MpegHeaderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var version: MpegHeader.Version
    var layer: MpegHeader.Layer
    var hertz: Int32
    var kilobits: Int?
    var channels: UInt8
    var samples: Int
    var byteCount: Int?
    var testDescription: String { "\(bytes)" }
  }

  static let rows: [Row] = [
    Row(
      bytes: [0xFF, 0xFB, 0x90, 0x64], version: .mpeg1, layer: .three, hertz: 44_100, kilobits: 128, channels: 2,
      samples: 1152, byteCount: 417),
    Row(
      bytes: [0xFF, 0xFB, 0x92, 0xC4], version: .mpeg1, layer: .three, hertz: 44_100, kilobits: 128, channels: 1,
      samples: 1152, byteCount: 418),
    Row(
      bytes: [0xFF, 0xFA, 0xE4, 0x00], version: .mpeg1, layer: .three, hertz: 48_000, kilobits: 320, channels: 2,
      samples: 1152, byteCount: 960),
    Row(
      bytes: [0xFF, 0xF3, 0x84, 0xC4], version: .mpeg2, layer: .three, hertz: 24_000, kilobits: 64, channels: 1,
      samples: 576, byteCount: 192),
    Row(
      bytes: [0xFF, 0xE3, 0x18, 0xC4], version: .mpeg25, layer: .three, hertz: 8_000, kilobits: 8, channels: 1,
      samples: 576, byteCount: 72),
    Row(
      bytes: [0xFF, 0xE3, 0xE4, 0x04], version: .mpeg25, layer: .three, hertz: 12_000, kilobits: 160, channels: 2,
      samples: 576, byteCount: 960),
    Row(
      bytes: [0xFF, 0xFD, 0xC4, 0x04], version: .mpeg1, layer: .two, hertz: 48_000, kilobits: 256, channels: 2,
      samples: 1152, byteCount: 768),
    Row(
      bytes: [0xFF, 0xF5, 0xE8, 0x04], version: .mpeg2, layer: .two, hertz: 16_000, kilobits: 160, channels: 2,
      samples: 1152, byteCount: 1440),
    Row(
      bytes: [0xFF, 0xFF, 0xE8, 0x04], version: .mpeg1, layer: .one, hertz: 32_000, kilobits: 448, channels: 2,
      samples: 384, byteCount: 672),
    Row(
      bytes: [0xFF, 0xF7, 0x92, 0x04], version: .mpeg2, layer: .one, hertz: 22_050, kilobits: 144, channels: 2,
      samples: 384, byteCount: 316),
    Row(
      bytes: [0xFF, 0xFB, 0x00, 0x64], version: .mpeg1, layer: .three, hertz: 44_100, kilobits: nil, channels: 2,
      samples: 1152, byteCount: nil),
  ]

  @Test(arguments: rows)
  func readsEveryField(row: Row) throws {
    let header = try #require(row.bytes.mpegHeader)
    #expect(header.version == row.version)
    #expect(header.layer == row.layer)
    #expect(header.sampleRate.hertz == row.hertz)
    #expect(header.bitRate == row.kilobits.map { BitRate(bitsPerSecond: $0 * 1000) })
    #expect(header.channels == row.channels)
    #expect(header.samplesPerFrame.value == row.samples)
    #expect(header.byteCount == row.byteCount)
    #expect(header.hasCRC == (row.bytes[1] & 1 == 0))
    #expect(header.isPadded == (row.bytes[2] & 2 != 0))
  }

  @Test("2.1: MPEG-2.5 has the bit rates of MPEG-2 (R12)")
  func bitRatesOfMpeg25() {
    let expected = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    for index in 0..<15 {
      let header = MpegHeader(0xFF, 0xE3, UInt8(index << 4), 0)
      #expect(header?.bitRate?.bitsPerSecond ?? 0 == expected[index] * 1000)
      #expect(header?.bitRate == MpegHeader(0xFF, 0xF3, UInt8(index << 4), 0)?.bitRate)
    }
  }

  @Test(
    arguments: [
      [0xFE, 0xFB, 0x90, 0x64], [0xFF, 0xDB, 0x90, 0x64],  // no sync
      [0xFF, 0xEB, 0x90, 0x64],  // reserved version
      [0xFF, 0xF9, 0x90, 0x64],  // reserved layer
      [0xFF, 0xFB, 0xF0, 0x64],  // bad bit rate
      [0xFF, 0xFB, 0x9C, 0x64],  // reserved rate
      [0xFF, 0xFB, 0x90],  // too short
    ] as [[UInt8]])
  func refusesWhatIsReserved(bytes: [UInt8]) {
    #expect(bytes.mpegHeader == nil)
  }

  @Test func agreementMindsVersionLayerRateAndFreeFormat() throws {
    let header = try #require(MpegHeader(0xFF, 0xFB, 0x90, 0x64))
    func agrees(_ b1: UInt8, _ b2: UInt8, _ b3: UInt8) -> Bool? {
      MpegHeader(0xFF, b1, b2, b3).map(header.agrees)
    }
    #expect(agrees(0xFA, 0xE2, 0xC4) == true)  // CRC, bit rate, padding, mono
    #expect(agrees(0xFB, 0x94, 0x64) == false)
    #expect(agrees(0xF3, 0x90, 0x64) == false)
    #expect(agrees(0xFD, 0x90, 0x64) == false)
    #expect(agrees(0xFB, 0x00, 0x64) == false)
  }

  @Test func anOffsetOutsideIsNoHeader() {
    let bytes: [UInt8] = [0, 0xFF, 0xFB, 0x90, 0x64]
    for offset in [1, -1, 0, 2, 5, Int.max, Int.min] {
      let header = MpegHeader(bytes.span, at: offset)
      #expect((header != nil) == (offset == 1))
    }
  }
}

struct AdtsHeaderTests {
  @Test func readsEveryField() throws {
    let bytes = Build.adtsHeader(
      byteCount: 1234, profile: 1, rate: 3, channels: 7, extraBlocks: 3, isMpeg2: true, hasCRC: true)
    let header = try #require(bytes.adtsHeader)
    #expect(header.isMpeg2 && header.hasCRC)
    #expect(header.profile == 1)
    #expect(header.sampleRate.hertz == 48_000)
    #expect(header.channelConfiguration == 7)
    #expect(header.channels == 8)
    #expect(header.byteCount == 1234)
    #expect(header.headerByteCount == 9)
    #expect(header.extraBlockCount == 3)
    #expect(header.duration.ticks == 4096 * 14_700)
  }

  @Test(
    arguments: zip(
      0...,
      [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
      ]
    ).map { ($0, $1) })
  func everyRate(index: Int, hertz: Int32) throws {
    let header = try #require(Build.adtsHeader(byteCount: 100, rate: UInt8(index)).adtsHeader)
    #expect(header.sampleRate.hertz == hertz)
    #expect(header.duration.ticks * Int64(hertz) == 1024 * StreamTime.ticksPerSecond)
  }

  @Test func refusesReservedRatesOtherLayersAndShortLengths() {
    for rate: UInt8 in 13...15 { #expect(Build.adtsHeader(byteCount: 100, rate: rate).adtsHeader == nil) }
    for layer: UInt8 in 1...3 {
      var bytes = Build.adtsHeader(byteCount: 100)
      bytes[1] |= layer << 1
      #expect(bytes.adtsHeader == nil)
    }
    #expect(Build.adtsHeader(byteCount: 6).adtsHeader == nil)
    #expect(Build.adtsHeader(byteCount: 7).adtsHeader != nil)
    #expect(Build.adtsHeader(byteCount: 8, hasCRC: true).adtsHeader == nil)
    #expect(Build.adtsHeader(byteCount: 9, hasCRC: true).adtsHeader != nil)
    #expect(Build.adtsHeader(byteCount: 8191).adtsHeader?.byteCount == 8191)
    #expect(([0xFF, 0xF1, 0x50, 0x80, 0, 0xFF] as [UInt8]).adtsHeader == nil)
  }

  @Test func agreementMindsVersionProfileRateAndChannels() throws {
    func header(_ bytes: [UInt8]) throws -> AdtsHeader { try #require(bytes.adtsHeader) }
    let one = try header(Build.adtsHeader(byteCount: 100))
    #expect(try one.agrees(with: header(Build.adtsHeader(byteCount: 999, extraBlocks: 1, hasCRC: true))))
    #expect(try !one.agrees(with: header(Build.adtsHeader(byteCount: 100, profile: 0))))
    #expect(try !one.agrees(with: header(Build.adtsHeader(byteCount: 100, rate: 3))))
    #expect(try !one.agrees(with: header(Build.adtsHeader(byteCount: 100, channels: 1))))
    #expect(try !one.agrees(with: header(Build.adtsHeader(byteCount: 100, isMpeg2: true))))
  }
}

struct XingHeaderTests {
  @Test(arguments: [(3, 1, 36), (3, 3, 21), (2, 1, 21), (2, 3, 13), (0, 3, 13)] as [(UInt8, UInt8, Int)])
  func standsAfterTheSideInformation(version: UInt8, mode: UInt8, place: Int) {
    for name in ["Xing", "Info"] {
      var packet = Build.mpeg(version: version, mode: mode)
      #expect(!packet.isXing)
      packet.replaceSubrange(place..<place + 4, with: name.utf8)
      #expect(packet.isXing)
      #expect(!Array(packet[..<(place + 3)]).isXing)
    }
  }

  @Test func knowsVBRI() {
    var packet = Build.mpeg()
    packet.replaceSubrange(36..<40, with: "VBRI".utf8)
    #expect(packet.isXing)
  }
}

struct HeaderRobustnessTests {
  @Test func anythingMayCome() {
    var random = SeededGenerator(4)
    var wrong = 0
    for _ in 0..<100_000 {
      let bytes = [0xFF, UInt8.random(in: 0xE0...0xFF, using: &random)] + random.bytes(Int(random.next() % 40))
      if let header = bytes.mpegHeader {
        wrong += header.byteCount.map { (24...2881).contains($0) } ?? true ? 0 : 1
      }
      if let header = bytes.adtsHeader {
        wrong += (header.headerByteCount...8191).contains(header.byteCount) ? 0 : 1
      }
      wrong += bytes.isXing && bytes.count < 17 ? 1 : 0
    }
    #expect(wrong == 0)
  }
}

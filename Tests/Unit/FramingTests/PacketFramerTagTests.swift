import Framing
import SeededRandom
import Testing
import Units

struct PacketFramerTagTests {
  static let mp3 = PacketFramerTests.mp3

  struct TagRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
  }

  /// Headers inside a tag that would lock a framer which does not skip the tag.
  static let falsePackets = (0..<100).flatMap { Build.mpeg(rate: 1, seed: UInt64($0)) }

  static let tags = [
    TagRow(testDescription: "ID3v2.2", bytes: Build.id3(falsePackets, version: 2)),
    TagRow(testDescription: "ID3v2.3", bytes: Build.id3(falsePackets, version: 3)),
    TagRow(testDescription: "ID3v2.4 with footer", bytes: Build.id3(falsePackets, hasFooter: true)),
    TagRow(testDescription: "empty ID3", bytes: Build.id3([])),
    TagRow(testDescription: "ID3v1", bytes: Build.id3v1),
    TagRow(testDescription: "APEv2", bytes: Build.ape(falsePackets)),
    TagRow(testDescription: "Lyrics3v2", bytes: Build.lyrics),
    TagRow(testDescription: "all of them", bytes: Build.lyrics + Build.ape([1, 2]) + Build.id3([3]) + Build.id3v1),
  ]

  @Test(arguments: tags)
  func aTagAnywhereIsSkippedByItsSize(tag: TagRow) {
    for place in [0, 1, 6, 12] {
      let bytes = Self.mp3[..<place].flatMap { $0 } + tag.bytes + Self.mp3[place...].flatMap { $0 }
      for step in [1, 1000, Int.max] {
        let framed = Framed(bytes, step: step)
        #expect(framed.bytes == Self.mp3)
        #expect(framed.skipped == 0)
        #expect(framed.tagged == tag.bytes.count)
        #expect(framed.packets.allSatisfy { !$0.info.followsGap })
      }
    }
  }

  /// Bytes of the tag's content, bytes by which the tag exceeds the file, and bytes before the tag.
  static let wrongSizes = [(20, 1), (20, 1_000), (3_000, 100_000_000), (3_000, 1)]

  @Test("A tag that states an end after the file is garbage", arguments: wrongSizes)
  func tagBeyondFile(count: Int, excess: Int) {
    let sound = Self.mp3.flatMap { $0 }
    var tag = Build.id3([UInt8](repeating: 0, count: count))
    let size = count + sound.count + excess
    for index in 0..<4 { tag[6 + index] = UInt8(size >> (21 - 7 * index) & 0x7F) }
    for (limit, packets) in [(tag.count + sound.count, Self.mp3), (.max, [])] {
      var framer = PacketFramer()
      framer.limit(to: limit)
      var found: [[UInt8]] = []
      let bytes = tag + sound
      var place = 0
      while place < bytes.count {
        place += framer.append(bytes.span.extracting(place..<bytes.count))
        if place == bytes.count { framer.finish() }
        while case .packet = framer.next({ _, bytes in found.append(bytes.indices.map { bytes[$0] }) }) {}
      }
      #expect(found == packets && framer.skippedByteCount == (packets.isEmpty ? 0 : tag.count))
    }
  }

  @Test("A tag that ends with the file is a tag")
  func tagAtEnd() {
    var framer = PacketFramer()
    let bytes = Self.mp3.flatMap { $0 } + Build.id3v1
    framer.limit(to: bytes.count)
    var count = 0
    var place = 0
    while place < bytes.count {
      place += framer.append(bytes.span.extracting(place..<bytes.count))
      if place == bytes.count { framer.finish() }
      while case .packet = framer.next({ _, _ in count += 1 }) {}
    }
    #expect(count == Self.mp3.count && framer.taggedByteCount == Build.id3v1.count && framer.skippedByteCount == 0)
  }

  @Test func tagsCountInOffsets() {
    let tag = Build.id3([UInt8](repeating: 7, count: 50_000))
    let packets = Framed(tag + Self.mp3.flatMap { $0 }).packets
    #expect(packets.map(\.info.byteOffset).prefix(2) == [tag.count, tag.count + Self.mp3[0].count])
  }

  @Test(arguments: [40_000, 5_000_000])
  func aTagMayBeLargerThanTheBuffer(size: Int) {
    var random = SeededGenerator(3)
    let content = Array((0...size / falsePacketCount).flatMap { _ in Self.falsePackets }.prefix(size))
    for tag in [Build.id3(content), Build.ape(content), Build.id3(random.bytes(size))] {
      let framed = Framed(Self.mp3[..<3].flatMap { $0 } + tag + Self.mp3[3...].flatMap { $0 }, step: 4096)
      #expect(framed.bytes == Self.mp3)
      #expect(framed.skipped == 0)
      #expect(framed.tagged == tag.count)
    }
  }

  private var falsePacketCount: Int { Self.falsePackets.count }

  @Test func aTagFullOfFalseHeadersYieldsNothing() {
    let framed = Framed(Build.id3((0..<5).flatMap { _ in Self.falsePackets }))
    #expect(framed.packets.isEmpty)
    #expect(framed.skipped == 0)
  }

  @Test func aTagThatTheEndCutsIsStillATag() {
    let tag = Build.id3(Self.falsePackets)
    let framed = Framed(Self.mp3.flatMap { $0 } + tag.prefix(5000))
    #expect(framed.bytes == Self.mp3)
    #expect(framed.tagged == 5000)
  }

  @Test func theFormatMayChangeAtATag() {
    let aac = PacketFramerTests.aac
    let framed = Framed(Self.mp3.flatMap { $0 } + Build.id3([1, 2, 3]) + aac.flatMap { $0 })
    #expect(framed.bytes == Self.mp3 + aac)
    #expect(framed.packets.allSatisfy { !$0.info.followsGap })
  }

  @Test(
    arguments: [
      [0x49, 0x44, 0x33, 0xFF, 0, 0, 0, 0, 1, 0], [0x49, 0x44, 0x33, 4, 0, 0, 0x80, 0, 1, 0],
      Array("LYRICSBEGINnofields at all".utf8), Array("APETAGEW".utf8) + [UInt8](repeating: 1, count: 40),
    ] as [[UInt8]])
  func brokenTagsAreGarbage(tag: [UInt8]) {
    let bytes = tag + Build.quiet(50, seed: 1)
    let framed = Framed(bytes + Self.mp3.flatMap { $0 })
    #expect(framed.bytes == Self.mp3)
    #expect(framed.packets.first?.info.followsGap == true)
    #expect(framed.skipped + framed.tagged == bytes.count)
  }
}

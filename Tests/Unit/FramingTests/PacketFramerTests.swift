import Blocks
import Framing
import Testing
import Units

struct PacketFramerTests {
  static let mp3 = (1...12).map { Build.mpeg(padding: $0 % 3 == 0, seed: $0) }
  static let aac = (1...12).map { Build.adts(byteCount: 200 + Int($0) * 17, seed: $0) }

  struct Stream: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var packets: [[UInt8]]
  }

  static let streams = [
    Stream(testDescription: "MP3", packets: mp3),
    Stream(testDescription: "AAC", packets: aac),
    Stream(testDescription: "MP3, then AAC", packets: mp3 + aac),
    Stream(testDescription: "AAC, then MP3", packets: aac + mp3),
    Stream(testDescription: "44.1, then 48 kHz", packets: mp3 + (1...5).map { Build.mpeg(rate: 1, seed: $0) }),
    Stream(testDescription: "stereo, then mono", packets: mp3 + (1...5).map { Build.mpeg(mode: 3, seed: $0) }),
    Stream(
      testDescription: "stereo AAC, then mono", packets: aac + (1...5).map { Build.adts(channels: 1, seed: $0) }),
    Stream(
      testDescription: "all bit rates", packets: (1...14).map { Build.mpeg(bitRate: UInt8($0), seed: $0) }),
    Stream(
      testDescription: "Layers I, II and III",
      packets: (1...3).flatMap { layer in (1...4).map { Build.mpeg(layer: layer, seed: $0) } }),
    Stream(
      testDescription: "MP3 into free format and back",
      packets: mp3 + (1...6).map { Build.free(byteCount: 700, padding: $0 % 2 == 0, seed: $0) } + mp3),
    Stream(testDescription: "the longest packets", packets: (1...6).map { Build.adts(byteCount: 5000, seed: $0) }),
    Stream(testDescription: "the shortest packets", packets: (1...6).map { Build.adts(byteCount: 8, seed: $0) }),
  ]

  @Test(arguments: streams)
  func handsOutEveryPacketOfACleanStream(stream: Stream) {
    let framed = Framed(stream.packets.flatMap { $0 })
    #expect(framed.bytes == stream.packets)
    #expect(framed.skipped == 0)
    #expect(framed.packets.allSatisfy { !$0.info.followsGap })
    var offset = 0
    for packet in framed.packets {
      #expect(packet.info.byteOffset == offset)
      #expect(packet.info.byteCount == packet.bytes.count)
      offset += packet.bytes.count
    }
  }

  @Test(arguments: streams)
  func piecesMakeNoDifference(stream: Stream) {
    let bytes = stream.packets.flatMap { $0 }
    for step in [1, 2, 3, 7, 64, 417, 1460] {
      #expect(Framed(bytes, step: step).bytes == stream.packets, "pieces of \(step)")
    }
  }

  @Test func everySplitOfTwoPieces() {
    let packets = Array(Self.mp3.prefix(3)) + Self.aac.prefix(3)
    let bytes = packets.flatMap { $0 }
    for split in 0...bytes.count {
      var framer = PacketFramer()
      var found: [[UInt8]] = []
      for piece in [bytes[..<split], bytes[split...]] {
        let taken = framer.append(piece.span)
        #expect(taken == piece.count)
        while framer.next({ found.append($1.array) }) == .packet {}
      }
      framer.finish()
      while framer.next({ found.append($1.array) }) == .packet {}
      #expect(found == packets, "split at \(split)")
    }
  }

  @Test func tellsFormatAndDuration() {
    let packets = Framed((Self.mp3 + Self.aac).flatMap { $0 }).packets
    let mp3 = PacketFormat(codec: .mpegLayer3, sampleRate: .cd, channels: 2)
    let aac = PacketFormat(codec: .aac, sampleRate: .cd, channels: 2, profile: 1)
    #expect(packets.prefix(12).allSatisfy { $0.info.format == mp3 && $0.info.duration.ticks == 1152 * 16_000 })
    #expect(packets.suffix(12).allSatisfy { $0.info.format == aac && $0.info.duration.ticks == 1024 * 16_000 })
  }

  @Test func theFirstPacketComesWithTheThirdHeader() {
    for (packets, header) in [(Self.mp3, 4), (Self.aac, 7)] {
      let bytes = packets.flatMap { $0 }
      let enough = packets[0].count + packets[1].count + header
      #expect(Framed(Array(bytes[..<(enough - 1)]), isOpen: true).packets.isEmpty)
      #expect(Framed(Array(bytes[..<enough]), isOpen: true).bytes == Array(packets[..<2]))
    }
  }

  @Test func theLastPacketWaitsForTheEnd() {
    let bytes = Self.mp3.flatMap { $0 }
    #expect(Framed(bytes, isOpen: true).bytes == Self.mp3.dropLast())
    #expect(Framed(bytes).bytes == Self.mp3)
    #expect(Framed(bytes.dropLast()).bytes == Self.mp3.dropLast())
  }

  @Test(arguments: [mp3[0], aac[0]])
  func oneSinglePacketIsAFile(packet: [UInt8]) {
    #expect(Framed(packet).bytes == [packet])
    #expect(Framed(packet + Build.id3v1).bytes == [packet])
    #expect(Framed(Build.id3([1, 2, 3]) + packet).bytes == [packet])
    #expect(Framed(packet.dropLast()).packets.isEmpty)
    #expect(Framed(packet + [UInt8](repeating: 0x55, count: 300)).packets.isEmpty)
  }

  @Test(arguments: [Array(mp3[..<5]), Array(aac[..<5])])
  func joinsAtEveryOffset(packets: [[UInt8]]) {
    let bytes = packets.flatMap { $0 }
    let first = packets[0].count
    for offset in 0..<first + packets[1].count {
      let framed = Framed(Array(bytes[offset...]))
      let rest = offset == 0 ? 0 : offset <= first ? 1 : 2
      #expect(framed.bytes == Array(packets[rest...]), "joined at \(offset)")
      let border = packets[..<rest].reduce(0) { $0 + $1.count }
      #expect(framed.skipped == border - offset)
      #expect(framed.packets.first?.info.followsGap == (offset != border))
      #expect(framed.packets.dropFirst().allSatisfy { !$0.info.followsGap })
    }
  }

  @Test func joinsPromptlyInspiteOfALongFalseHeader() {
    // A false header that announces 5,000 bytes precedes the first packet.
    let bytes = Build.adtsHeader(byteCount: 5000) + [0x11] + Array(Self.mp3.joined())
    let enough = 8 + Self.mp3[..<4].joined().count + 4
    var framer = PacketFramer()
    _ = framer.feed([0x22])
    _ = framer.feed(Array(bytes[..<enough]))
    var first: [UInt8] = []
    let found = framer.next { first = $1.array }
    let isLocked = framer.isLocked
    #expect(found == .packet && isLocked)
    #expect(first == Self.mp3[0])
  }

  @Test func aResetBeginsAnew() {
    let bytes = Self.mp3.flatMap { $0 }
    var framer = PacketFramer()
    _ = framer.feed([UInt8](repeating: 0x33, count: 99))
    _ = framer.feed(Array(bytes[..<600]))
    _ = framer.next { _, _ in }
    for followsGap in [true, false] {
      framer.reset(followsGap: followsGap)
      let (isLocked, skipped) = (framer.isLocked, framer.skippedByteCount)
      #expect(!isLocked && skipped == 0)
      _ = framer.append(bytes.span)
      var infos: [PacketInfo] = []
      while framer.next({ info, _ in infos.append(info) }) == .packet {}
      #expect(infos.map(\.followsGap) == [followsGap] + [Bool](repeating: false, count: 10))
      #expect(infos.first?.byteOffset == 0)
    }
  }

  @Test func takesAsMuchAsFits() {
    let bytes = (0..<200).flatMap { Build.mpeg(bitRate: 14, seed: UInt64($0)) }
    var framer = PacketFramer()
    let taken = framer.append(bytes.span)
    #expect(taken < bytes.count)
    let takenWhenFull = framer.feed(Array(bytes[taken...]))
    let found = framer.next { _, _ in }
    let takenAfter = framer.feed(Array(bytes[taken...]))
    #expect(takenWhenFull == 0 && found == .packet && takenAfter > 0)
  }

  @Test(arguments: 1...3 as ClosedRange<UInt8>)
  func findsTheLengthOfFreeFormat(layer: UInt8) {
    let packets = (1...20).map { Build.free(layer: layer, byteCount: 640, padding: $0 % 3 == 0, seed: $0) }
    let bytes = packets.flatMap { $0 }
    let framed = Framed(bytes)
    #expect(framed.bytes == packets)
    #expect(framed.packets.allSatisfy { $0.info.isFreeFormat && !$0.info.followsGap })
    let joined = Framed(Array(bytes[100...]))
    // Other codecs look like free format of Layers I and II.
    #expect(joined.bytes == (layer == 3 ? Array(packets[1...]) : []))
    #expect(joined.packets.allSatisfy { $0.info.followsGap == ($0.info.byteOffset == packets[0].count - 100) })
    #expect(Framed(Array(bytes.prefix(packets[0].count + packets[1].count))).bytes == Array(packets[..<2]))
  }

  @Test func aLongerPacketThanABlockHoldsIsDamage() {
    let packets = (1...6).map { Build.adts(byteCount: 5001, seed: $0) }
    #expect(Framed(packets.flatMap { $0 }).packets.isEmpty)
    let free = (1...6).map { Build.free(byteCount: 5001, seed: $0) }
    #expect(Framed(free.flatMap { $0 }).packets.isEmpty)
  }
}

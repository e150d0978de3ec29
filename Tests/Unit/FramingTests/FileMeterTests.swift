import Blocks
import Framing
import SeededRandom
import Testing
import Units

/// Duration and seek positions of a file, computed from its first packets (R11.2, O1, O2).
struct FileMeterTests {
  static func xing(
    _ name: String = "Xing", packets: Int? = nil, bytes: Int? = nil, table: [UInt8]? = nil,
    silence: (delay: Int, padding: Int)? = nil, version: UInt8 = 3, mode: UInt8 = 1
  ) -> [UInt8] {
    var fields = Array(name.utf8)
    fields += number((packets == nil ? 0 : 1) | (bytes == nil ? 0 : 2) | (table == nil ? 0 : 4), 4)
    if let packets { fields += number(packets, 4) }
    if let bytes { fields += number(bytes, 4) }
    fields += table ?? []
    if let silence {
      fields += Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12)
      fields += number(silence.delay << 12 | silence.padding, 3)
    }
    let place = version == 3 ? (mode == 3 ? 21 : 36) : (mode == 3 ? 13 : 21)
    var packet = Build.mpeg(version: version, mode: mode)
    packet.replaceSubrange(place..<place + fields.count, with: fields)
    return packet
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 255) }
  }

  static func vbri(packets: Int, bytes: Int, stretches: [Int]) -> [UInt8] {
    var fields = Array("VBRI".utf8) + [0, 1, 0, 0, 0, 0]
    fields += number(bytes, 4) + number(packets, 4) + number(stretches.count, 2)
    fields += number(1, 2) + number(2, 2) + number(1, 2)
    for stretch in stretches { fields += number(stretch, 2) }
    var packet = Build.mpeg(bitRate: 14)
    packet.replaceSubrange(36..<36 + fields.count, with: fields)
    return packet
  }

  /// Packets of 128 kbit/s, padded as an encoder does: the sum stays within one byte of the average.
  static func even(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { number -> [UInt8] in
      let isPadded = Int(Double(number + 1) * Self.average) - Int(Double(number) * Self.average) == 418
      return Build.mpeg(padding: isPadded, seed: UInt64(number))
    }
  }

  static let average = 144.0 * 128_000 / 44_100

  private func map(_ bytes: [UInt8], seen: Int = .max, total: Int? = nil, tail: Int = 0) throws -> FileMap {
    var meter = FileMeter()
    for packet in Framed(Array(bytes.prefix(seen)), isOpen: seen < bytes.count).packets {
      _ = meter.process(packet.info, packet.bytes.span)
    }
    return try #require(meter.map(total: total ?? bytes.count, tail: tail))
  }

  @Test(
    "Figures without a length are read in a file of any length", arguments: [Int.max, Int.max - 417, 1 << 53, 1, 0])
  func boundless(total: Int) throws {
    #expect(try map(Self.xing(packets: 16) + Self.even(16), total: total).length != nil)
  }

  private func packets(_ count: Double) -> Double { count * 1_152 / 44_100 }

  @Test(
    "A constant bit rate is known from the first packets, to the packet, without tags",
    arguments: ["bare", "ID3v2", "ID3v1", "cut off"])
  func evenBitRate(tags: String) throws {
    let head = tags == "ID3v2" ? Build.id3(Build.quiet(5_000, seed: 3)) : []
    let tail = tags == "ID3v1" ? 128 : tags == "cut off" ? 300 : 0
    let sound = Self.even(2_000)
    let map = try map(head + sound, seen: head.count + 9_000, total: head.count + sound.count + tail, tail: tail)
    #expect(map.basis == .constant)
    #expect(map.firstByte == head.count)
    #expect(map.lead == .zero)
    #expect(abs((map.length?.seconds ?? 0) - packets(2_000)) < packets(1))
    for number in stride(from: 0, to: 2_000, by: 37) {
      let byte = head.count + Int(Double(number) * Self.average)
      #expect(map.time(at: byte).seconds == packets(Double(number)))
      #expect(map.time(at: byte + 1) == map.time(at: byte))
      let asked = map.byte(at: StreamTime(seconds: packets(Double(number)) + 0.001))
      #expect(asked <= byte && asked > byte - 8)
    }
  }

  @Test("LAME's padding gives the length to the sample, and its packet is silent")
  func silence() throws {
    let sound = Self.even(100)
    let head = Self.xing("Info", packets: 100, bytes: 417 + sound.count, silence: (576, 1_105))
    var meter = FileMeter()
    let all = Framed(head + sound).packets
    #expect(all.map { meter.process($0.info, $0.bytes.span) } == [false] + [Bool](repeating: true, count: 100))
    let map = try #require(meter.map(total: 417 + sound.count))
    #expect(map.isExact)
    #expect(map.firstByte == 417)
    #expect(map.lead == StreamTime(frames: FrameCount(1_105), at: .cd))
    #expect(map.length == StreamTime(frames: FrameCount(100 * 1_152 - 576 - 1_105), at: .cd))
    #expect(map.time(at: 417) == .zero - map.lead)
    #expect(map.byte(at: .zero) == 417)
  }

  @Test("A table gives the byte positions of seconds")
  func table() throws {
    // The first half of the duration uses a quarter of the bytes.
    let table: [UInt8] = (0..<100).map { (share: Int) -> UInt8 in
      let slow = share * 64 / 50
      let fast = 64 + (share - 50) * 192 / 50
      return UInt8(share < 50 ? slow : fast)
    }
    let sound = Self.even(400)
    let head = Self.xing(packets: 10_000, bytes: 4_000_000, table: table)
    let map = try map(head + sound, total: 4_000_128)
    #expect(map.basis == .table)
    let whole = packets(10_000)
    #expect(abs((map.length?.seconds ?? 0) - whole) < 1e-6)
    #expect(abs(map.byte(at: StreamTime(seconds: whole / 2)) - 1_000_000) < 20_000)
    #expect(abs(map.byte(at: StreamTime(seconds: whole * 0.75)) - 2_500_000) < 20_000)
    #expect(map.byte(at: StreamTime(seconds: whole * 2)) == 4_000_000)
    for share in stride(from: 0.02, to: 1, by: 0.05) {
      let time = StreamTime(seconds: whole * share)
      #expect(abs(map.time(at: map.byte(at: time)).seconds - time.seconds) < 0.01)
    }
  }

  @Test("VBRI gives the byte positions of seconds")
  func stretches() throws {
    var meter = FileMeter()
    let scaled = Self.vbri(packets: 1_000, bytes: 100_000, stretches: [12_500, 37_500, 25_000, 25_000])
    for packet in Framed(scaled + Self.even(20)).packets { _ = meter.process(packet.info, packet.bytes.span) }
    let map = try #require(meter.map(total: 100_000))
    #expect(map.basis == .table)
    #expect(abs((map.length?.seconds ?? 0) - packets(1_000)) < 1e-6)
    #expect(abs(map.byte(at: StreamTime(seconds: packets(250))) - 12_500) < 10)
    #expect(abs(map.byte(at: StreamTime(seconds: packets(500))) - 50_000) < 10)
    #expect(abs(map.byte(at: StreamTime(seconds: packets(875))) - 87_500) < 10)
  }

  @Test("Figures of another file are ignored")
  func joinedFiles() throws {
    let sound = Self.even(3_000)
    let map = try map(Self.xing("Info", packets: 100, bytes: 42_000, silence: (576, 1_105)) + sound, seen: 9_000)
    #expect(abs((map.length?.seconds ?? 0) - packets(3_000)) < 0.1)
    #expect(!map.isExact)
  }

  @Test("A truncated file is as long as its content")
  func cutFile() throws {
    let head = Self.xing("Info", packets: 3_000, bytes: 417 + Self.even(3_000).count, silence: (576, 1_105))
    let map = try map(head + Self.even(1_000), seen: 9_000)
    #expect(abs((map.length?.seconds ?? 0) - packets(1_000)) < 0.1)
    #expect(!map.isExact)
  }

  @Test("Without figures a variable bit rate is measured", arguments: ["MP3", "AAC"])
  func measured(codec: String) throws {
    let sound: [UInt8] = (0..<600).flatMap { (number: Int) -> [UInt8] in
      if codec == "AAC" { return Build.adts(byteCount: 300 + number % 3 * 50, seed: UInt64(number)) }
      return Build.mpeg(bitRate: UInt8(8 + number % 3), seed: UInt64(number))
    }
    let map = try map(sound, seen: 12_000)
    let whole = codec == "AAC" ? 600 * 1_024 / 44_100.0 : packets(600)
    #expect(map.basis == .measured)
    #expect(abs((map.length?.seconds ?? 0) / whole - 1) < 0.02)
    #expect(abs(map.time(at: sound.count / 2).seconds / whole - 0.5) < 0.02)
  }

  @Test("A file of maximum size is no longer than can be added")
  func longest() throws {
    var meter = FileMeter()
    for number in 0..<60 {
      let packet = Build.mpeg(seed: UInt64(number))
      let info = PacketInfo(
        format: PacketFormat(codec: .mpegLayer3, sampleRate: .cd, channels: 2), byteCount: packet.count,
        duration: StreamTime(seconds: 1e6), byteOffset: number * 417, followsGap: false)
      _ = meter.process(info, packet.span)
    }
    let map = try #require(meter.map(total: 1 << 53))
    let most = StreamTime(ticks: 1 << 60)
    #expect(try #require(map.length) <= most && map.time(at: 1 << 53) <= most && map.time(at: .max) <= most)
  }

  private static let lyrics = Array("LYRICSBEGININD0000200LYR00014some song text000043LYRICS200".utf8)

  private static let tags: [String: [UInt8]] = [
    "none": [], "ID3v1": Build.id3v1, "APE": Build.ape(Build.quiet(100, seed: 1)),
    "long APE and ID3v1": Build.ape(Build.quiet(5_000, seed: 1)) + Build.id3v1, "Lyrics": lyrics,
    "Lyrics and ID3v1": lyrics + Build.id3v1, "ID3v2.4": Build.id3(Build.quiet(40, seed: 2), hasFooter: true),
  ]

  @Test("Trailing tags are recognised by the last bytes", arguments: tags.keys.sorted())
  func trailingTags(name: String) throws {
    let tags = try #require(Self.tags[name])
    let tail = Array((Build.quiet(3_000, seed: 9) + tags).suffix(TrailingTags.tailByteCount))
    let found = TrailingTags.byteCount(in: tail.span)
    #expect(found == tags.count)
  }

  @Test("An encoder without padding makes packets of one length")
  func neverPadded() throws {
    let sound = (0..<2_000).flatMap { Build.mpeg(seed: UInt64($0)) }
    let map = try map(sound, seen: 9_000)
    #expect(abs((map.length?.seconds ?? 0) - packets(2_000)) < 1e-6)
    #expect(map.time(at: 417 * 1_500).seconds == packets(1_500))
  }

  @Test("Figures may have any value, and be truncated anywhere")
  func hostile() {
    var random = SeededGenerator(7)
    var wrong = 0
    for round in 0..<6_000 {
      var packet =
        round % 2 == 0
        ? Self.xing(packets: 10, bytes: 4_000, table: [UInt8](repeating: 9, count: 100), silence: (1, 2))
        : Self.vbri(packets: 10, bytes: 900, stretches: [3, 4, 5])
      for _ in 0..<4 { packet[Int.random(in: 4..<200, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      packet = Array(packet.prefix(Int.random(in: 4...417, using: &random)))
      var meter = FileMeter()
      let info = PacketInfo(
        format: PacketFormat(codec: .mpegLayer3, sampleRate: .cd, channels: 2), byteCount: packet.count,
        duration: StreamTime(frames: FrameCount(1_152), at: .cd), byteOffset: 0, followsGap: false)
      _ = meter.process(info, packet.span)
      _ = meter.process(info, Build.mpeg().span)
      guard let map = meter.map(total: Int.random(in: 0...100_000, using: &random)) else { continue }
      let byte = map.byte(at: StreamTime(seconds: Double.random(in: -1...1e7, using: &random)))
      wrong += byte < map.firstByte || (map.length ?? .zero) < .zero - map.lead ? 1 : 0
      wrong += map.time(at: byte) < .zero - map.lead ? 1 : 0
    }
    #expect(wrong == 0)
  }

  @Test("A stream from inside a file is framed by its position")
  func beginsInTheMiddle() {
    let sound = Self.even(40)
    var framer = PacketFramer()
    framer.reset(followsGap: true, at: 1_000)
    var offsets: [Int] = []
    _ = framer.append(Array(sound[1_000..<9_000]).span)
    while framer.next({ info, _ in offsets.append(info.byteOffset) }) == .packet {}
    #expect(offsets.first == Int(Self.average * 3))
    #expect(offsets.dropFirst().first == Int(Self.average * 4))
  }

  @Test("A missing tag may be skipped")
  func passesTag() {
    var framer = PacketFramer()
    let file = Build.id3(Build.quiet(50_000, seed: 5)) + Self.even(5)
    _ = framer.append(Array(file.prefix(1_000)).span)
    #expect(framer.next { _, _ in } == .needsMore)
    #expect(framer.absentByteCount == 50_010 - 1_000)
    framer.passAbsent()
    _ = framer.append(Array(file[50_010...]).span)
    var offsets: [Int] = []
    while framer.next({ info, _ in offsets.append(info.byteOffset) }) == .packet {}
    #expect(offsets.first == 50_010)
  }
}

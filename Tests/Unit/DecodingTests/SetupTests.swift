import Blocks
import CAllocGuard
import DecoderBench
import Foundation
import SeededRandom
import Testing
import Units

@testable import Decoding

/// Correct and wrong set-ups of decoders.
struct SetupTests {
  /// A stream and the index of its set-up in the list.
  private static let kinds = DamagedStreamTests.streams

  /// Decodes the first packets with another set-up.
  private func hear(_ stream: EncodedStream, _ setup: CodecSetup) -> [DecodedPacket] {
    var stream = stream
    stream.setup = setup
    var decoder = stream.decoder()
    return stream.packets.prefix(3).map { decoder.decodePacket($0) }
  }

  private func isRefused(_ stream: EncodedStream, _ setup: CodecSetup) -> Bool {
    (DecoderChoice.decoder(for: stream.setup.codec, .bits24, .mad, setup) == nil)
      && hear(stream, setup).allSatisfy { $0.error == .discardPacket }
  }

  @Test(arguments: kinds.indices)
  func aNumberThatNobodyKnowsIsRefused(index: Int) {
    let stream = Self.kinds[index]()
    var decoder = PacketDecoder(.bits24)
    #expect(stream.packets.allSatisfy { decoder.decodePacket($0).error == .discardPacket })
    var table = stream.decoder()
    var packet = stream.packets[0]
    packet.info.format.setup = 0
    #expect(table.decodePacket(packet).error == .discardPacket)
    packet.info.format.setup = 2
    #expect(table.decodePacket(packet).error == .discardPacket)
    // The correct set-up after it plays.
    #expect(stream.packets.map { table.decodePacket($0) } == stream.hear())
  }

  /// A late set-up is found after a limited number of failures.
  @Test func aRefusedSetupIsTriedAgain() {
    let stream = Self.kinds[0]()
    let setups = SetupTable()
    var decoder = PacketDecoder(.bits24, setups: setups)
    #expect(decoder.decodePacket(stream.packets[0]).error == .discardPacket)
    _ = setups.number(of: stream.setup)
    let failed = (1..<100).prefix { _ in decoder.decodePacket(stream.packets[0]).error != nil }
    #expect(failed.count == 15)
  }

  @Test(arguments: kinds.indices)
  func setupsOfOtherShapesAreRefused(index: Int) {
    let stream = Self.kinds[index]()
    let (codec, headers) = (stream.setup.codec, stream.setup.headers)
    #expect(!isRefused(stream, stream.setup))
    #expect(isRefused(stream, CodecSetup(codec, [])))
    #expect(isRefused(stream, CodecSetup(codec, headers + [[]])))
    #expect(isRefused(stream, CodecSetup(codec, [Array(repeating: 0, count: CodecSetup.maxBytes + 1)])))
    let padding = [UInt8](repeating: 0, count: CodecSetup.maxBytes)
    #expect(isRefused(stream, CodecSetup(codec, headers.dropLast() + [(headers.last ?? []) + padding])))
    #expect(isRefused(stream, CodecSetup(codec == .opus ? .flac : .opus, headers)))
    for (place, header) in headers.enumerated() {
      // Each truncation of the length fields is refused.
      let step = max(1, header.count / 200)
      for count in stride(from: 0, to: header.count - (codec == .pcm ? 0 : 1), by: step) {
        var cut = headers
        cut[place] = Array(header.prefix(count))
        // Without channel positions, a header describes one or two channels.
        #expect(isRefused(stream, CodecSetup(codec, cut)) || codec == .opus && count >= 19)
      }
    }
  }

  /// Changed bytes may describe another stream; the result is audio or an error.
  @Test(arguments: kinds.indices)
  func changedSetupsDoNoHarm(index: Int) {
    let stream = Self.kinds[index]()
    var random = SeededGenerator(UInt64(index))
    for _ in 0..<(stream.setup.codec == .vorbis ? 40 : 700) {
      var headers = stream.setup.headers
      let place = Int.random(in: headers.indices, using: &random)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        headers[place][.random(in: headers[place].indices, using: &random)] ^= .random(in: 1...255, using: &random)
      }
      #expect(hear(stream, CodecSetup(stream.setup.codec, headers)).allSatisfy { $0.peak <= 8_388_608 })
    }
  }

  @Test(arguments: kinds.indices)
  func garbageIsRefused(index: Int) {
    let stream = Self.kinds[index]()
    var random = SeededGenerator(UInt64(index))
    for _ in 0..<300 {
      let headers = stream.setup.headers.map { header in
        // Mostly after the codec's name.
        Array(header.prefix(.random(in: 0...30, using: &random))) + random.bytes(.random(in: 0...400, using: &random))
      }
      #expect(hear(stream, CodecSetup(stream.setup.codec, headers)).allSatisfy { $0.peak <= 8_388_608 })
    }
  }

  @Test func moreChannelsThanEightAreRefused() {
    var vorbis = Self.kinds[2]().setup.headers
    vorbis[1] = LowBitWriter.setup([LowBitWriter.Book(entries: 8, length: 3)])
    vorbis[0][11] = 8
    #expect(VorbisDecoder(.bits24, CodecSetup(.vorbis, vorbis)) != nil)
    vorbis[0][11] = 9
    #expect(isRefused(Self.kinds[2](), CodecSetup(.vorbis, vorbis)))
    // Family 0 of Opus has at most two channels; family 255 has no positions.
    for (place, value) in [(9, 3), (9, 0), (18, 255), (18, 2), (8, 0x10)] as [(Int, UInt8)] {
      var opus = Self.kinds[4]().setup.headers
      opus[0][place] = value
      #expect(isRefused(Self.kinds[4](), CodecSetup(.opus, opus)))
    }
    for (place, value) in [(9, 9), (19, 9), (19, 0), (20, 200), (21, 77)] as [(Int, UInt8)] {
      var opus = Self.kinds[5]().setup.headers
      opus[0][place] = value
      #expect(isRefused(Self.kinds[5](), CodecSetup(.opus, opus)))
    }
  }

  @Test func anotherSetupIsAnotherStream() {
    let one = EncodedStream.vorbis(Signal(2, rate: 44_100, frames: 12_000))
    let other = EncodedStream.vorbis(Signal(1, rate: 22_050, frames: 12_000), quality: 0.1)
    let setups = SetupTable()
    _ = setups.number(of: one.setup)
    let number = setups.number(of: other.setup)
    var decoder = PacketDecoder(.bits24, setups: setups)
    let others = other.packets(setup: number)
    for _ in 0..<2 {
      #expect(one.packets.map { decoder.decodePacket($0) } == one.hear())
      #expect(others.map { decoder.decodePacket($0) } == other.hear())
    }
  }

  /// Short packets with two alternating set-ups would create a decoder for each packet.
  @Test func setupsThatChangeWithEachPacketAreNotAllMade() {
    let one = EncodedStream.vorbis(Signal(2, rate: 44_100, frames: 44_100))
    let other = EncodedStream.vorbis(Signal(1, rate: 22_050, frames: 12_000), quality: 0.1)
    let setups = SetupTable()
    _ = setups.number(of: one.setup)
    let foreign = other.packets(setup: setups.number(of: other.setup))[0]
    var decoder = PacketDecoder(.bits24, setups: setups)
    decoder.pass(to: .zero)
    var made = 0
    for number in 0..<1_000 {
      if decoder.decodePacket(number % 2 == 0 ? one.packets[0] : foreign).error == nil { made += 1 }
      decoder.reset()
    }
    #expect(made == DecoderAllowance.maxAtOnce)
    // A quarter of a second of time or audio allows another decoder.
    decoder.pass(to: MonotonicTime(milliseconds: 499))
    #expect(decoder.decodePacket(foreign).error == nil)
    #expect(decoder.decodePacket(one.packets[0]).error == .discardPacket)
    decoder.pass(to: MonotonicTime(milliseconds: 500))
    for _ in 0..<2 {
      #expect(one.packets.map { decoder.decodePacket($0) } == one.hear())
      #expect(decoder.decodePacket(foreign).error == nil)
    }
  }

  /// A folder may contain many very short files, whose headers differ in length and MD5.
  @Test func filesOfOneFormatShareADecoder() {
    let stream = EncodedStream.flac(Signal(2, rate: 44_100, frames: 441), bits: 16)
    let setups = SetupTable()
    var decoder = PacketDecoder(.bits24, setups: setups)
    decoder.pass(to: .zero)
    for file in 0..<4 * DecoderAllowance.maxAtOnce {
      var header = stream.setup.headers[0]
      (header[9], header[17], header[33]) = (UInt8(file), UInt8(file), UInt8(file))
      decoder.reset()
      let number = setups.number(of: CodecSetup(.flac, [header]))
      #expect(stream.packets(setup: number).map { decoder.decodePacket($0) } == stream.hear())
    }
  }

  /// Undecodable songs do not use up the decoder of the next song.
  @Test func whatFollowsManyRefusedSetupsIsHeard() {
    let stream = Self.kinds[2]()
    let setups = SetupTable()
    var decoder = PacketDecoder(.bits24, setups: setups)
    for song in 0..<20 {
      var headers = stream.setup.headers
      headers[1].removeLast(20 + song)
      let packet = stream.packets(setup: setups.number(of: CodecSetup(.vorbis, headers)))[0]
      decoder.pass(to: MonotonicTime(milliseconds: Int64(song) * 10_000))
      for _ in 0..<300 { #expect(decoder.decodePacket(packet).error == .discardPacket) }
    }
    let number = setups.number(of: stream.setup)
    #expect(stream.packets(setup: number).map { decoder.decodePacket($0) } == stream.hear())
  }

  /// A set-up that libvorbis refuses may cost as much as an accepted one.
  @Test(.enabled(if: guard_works(), "a sanitizer has a malloc of its own"))
  func aRefusedSetupIsNotTriedForEver() {
    let stream = Self.kinds[2]()
    var headers = stream.setup.headers
    headers[1].removeLast(headers[1].count / 2)
    let setups = SetupTable()
    _ = setups.number(of: CodecSetup(.vorbis, headers))
    var decoder = PacketDecoder(.bits24, setups: setups)
    let packet = stream.packets[0]
    for _ in 0..<20 * DecoderAllowance.maxAtOnce { #expect(decoder.decodePacket(packet).error == .discardPacket) }
    let counts = packet.bytes.withUnsafeBufferPointer { bytes in
      let room = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + PacketDecoder.guardByteCount)
      defer { room.deallocate() }
      if let start = bytes.baseAddress { room.update(from: start, count: bytes.count) }
      var next = 0
      guard_start()
      while next < 100 {
        _ = try? decoder.decode(room, packet.info)
        next += 1
      }
      return guard_stop()
    }
    // Unoptimised Swift code allocates for each call.
    #expect(counts.allocations <= 100)
  }

  @Test func codecsFollowEachOther() throws {
    let streams = Self.kinds.map { $0() }
    let setups = SetupTable()
    var decoder = PacketDecoder(.bits24, setups: setups)
    let mpeg = try Programme("cbr-44100.mp3").packets
    for stream in streams {
      let number = setups.number(of: stream.setup)
      #expect(stream.packets(setup: number).map { decoder.decodePacket($0) } == stream.hear())
      #expect(mpeg.map { decoder.decodePacket($0) } == DecoderBench.decodePackets(mpeg))
    }
  }

  /// A header of some hundred bytes with a codebook of 4 million entries, and many such codebooks. libvorbis needs 48
  /// MB of stack for the first.
  @Test func codebooksThatTakeTooMuchAreRefused() {
    for (books, entries, length) in [(1, 1 << 22, 22), (200, 1 << 13, 13), (1, 8_193, 14)] {
      let books = [LowBitWriter.Book](repeating: LowBitWriter.Book(entries: entries, length: length), count: books)
      #expect(isRefused(LowBitWriter.setup(books)))
    }
    #expect(!isRefused(LowBitWriter.setup([LowBitWriter.Book(entries: 1 << 13, length: 13)])))
  }

  /// For each residue, libvorbis creates a table with a row per entry of the classification codebook. A table of 65,536
  /// entries with 16 numbers has 5.5 MB; a header of 9 KB can have 64 residues.
  @Test func residuesThatTakeTooMuchAreRefused() {
    let small = LowBitWriter.Book(entries: 1 << 4, length: 4, dimensions: 4)
    #expect(!isRefused(LowBitWriter.setup([small], classes: [2])))
    let large = LowBitWriter.Book(entries: 1 << 13, length: 13, dimensions: 13)
    #expect(!isRefused(LowBitWriter.setup([large], classes: [2])))
    let wide = LowBitWriter.Book(entries: 2, length: 1, dimensions: 65_535)
    for (book, residues) in [(large, 64), (wide, 4)] {
      let classes = [Int](repeating: book.entries == 2 ? 1 : 2, count: residues)
      #expect(isRefused(LowBitWriter.setup([book], classes: classes)))
    }
  }

  /// True if a set-up header is refused, given the identification header of two channels.
  private func isRefused(_ header: [UInt8]) -> Bool {
    isRefused(Self.kinds[2](), CodecSetup(.vorbis, [Self.kinds[2]().setup.headers[0], header]))
  }

  /// A new decoder for inaudible packets might cost more than all other work.
  @Test(.enabled(if: guard_works(), "a sanitizer has a malloc of its own"))
  func packetsThatFailDoNotMakeADecoderAnew() throws {
    let stream = Self.kinds[2]()
    var decoder = stream.decoder()
    _ = decoder.decodePacket(stream.packets[0])
    // libvorbis makes hundreds of allocations for a set-up.
    guard_start()
    for _ in 0..<100 { _ = decoder.decodePacket(Packet(info: Self.oneByte(stream.packets[1].info), bytes: [1])) }
    #expect(guard_stop().allocations < 100 * 8)
    #expect(stream.packets.dropFirst(2).map { decoder.decodePacket($0).error }.last == .some(nil))
  }

  private static func oneByte(_ info: PacketInfo) -> PacketInfo {
    var info = info
    info.byteCount = 1
    return info
  }

  /// The decode thread has a stack of 256 KiB: enough for the largest codebook, eight channels of 120 ms, and damage.
  @Test func theDecodeThreadsStackIsEnough() {
    var large = Self.kinds[2]()
    let book = LowBitWriter.Book(entries: 1 << 13, length: 13)
    large.setup = CodecSetup(.vorbis, [large.setup.headers[0], LowBitWriter.setup([book])])
    let opus = EncodedStream.opus(Signal(8, rate: 48_000, frames: 12_000), block: 5_760)
    let streams = [large, opus] + Self.kinds.map { $0() }
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      #expect(VorbisDecoder(.bits24, streams[0].setup) != nil)
      for stream in streams { #expect(stream.hear().count == stream.packets.count) }
      done.signal()
    }
    thread.stackSize = 256 * 1_024
    thread.start()
    done.wait()
  }
}

/// Writes bits in Vorbis order.
private struct LowBitWriter {
  private(set) var bytes: [UInt8]
  private var place: Int

  init(_ bytes: [UInt8]) { (self.bytes, place) = (bytes, 8 * bytes.count) }

  mutating func write(_ value: Int, _ count: Int) {
    for index in 0..<count {
      if place % 8 == 0 { bytes.append(0) }
      bytes[place / 8] |= UInt8(value >> index & 1) << UInt8(place % 8)
      place += 1
    }
  }

  /// A codebook whose codes all have one length, without values.
  struct Book {
    var entries: Int
    var length: Int
    var dimensions = 1
  }

  /// A set-up header with these codebooks and one residue per entry of `classes`, each for the first codebook, and the
  /// minimum of other elements: one floor, one mapping and one mode.
  static func setup(_ books: [Book], classes: [Int] = [1]) -> [UInt8] {
    var bits = LowBitWriter([5] + Array("vorbis".utf8))
    bits.write((books.count - 1, 8))
    for book in books {
      bits.write((0x56_4342, 24), (book.dimensions, 16), (book.entries, 24), (1, 1), (book.length - 1, 5))
      bits.write((book.entries, Int.bitWidth - book.entries.leadingZeroBitCount), (0, 4))
    }
    bits.write((0, 6), (0, 16), (0, 6), (1, 16), (0, 5), (0, 2), (0, 4))
    bits.write((classes.count - 1, 6))
    for count in classes {
      bits.write((0, 16), (0, 24), (0, 24), (0, 24), (count - 1, 6), (0, 8))
      for _ in 0..<count { bits.write((0, 4)) }
    }
    bits.write((0, 6), (0, 16), (0, 4), (0, 24), (0, 6), (0, 1), (0, 16), (0, 16), (0, 8), (1, 1))
    return bits.bytes
  }

  private mutating func write(_ fields: (value: Int, count: Int)...) {
    for field in fields { write(field.value, field.count) }
  }
}

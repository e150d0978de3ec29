import Blocks
import DecoderBench
import Foundation
import SeededRandom
import Testing
import Units

@testable import Decoding

/// What a decoder is told before the first packet, right or wrong.
struct SetupTests {
  /// A stream and its set-up's place in the list.
  private static let kinds = DamagedStreamTests.streams

  /// What becomes of the first packets where the set-up is another one.
  private func hear(_ stream: EncodedStream, _ setup: CodecSetup) -> [Heard] {
    var stream = stream
    stream.setup = setup
    var decoder = stream.decoder()
    return stream.packets.prefix(3).map { decoder.hear($0) }
  }

  private func isRefused(_ stream: EncodedStream, _ setup: CodecSetup) -> Bool {
    (Decoder(stream.setup.codec, .bits24, .mad, setup) == nil)
      && hear(stream, setup).allSatisfy { $0.error == .discardPacket }
  }

  @Test(arguments: kinds.indices)
  func aNumberThatNobodyKnowsIsRefused(index: Int) {
    let stream = Self.kinds[index]()
    var decoder = PacketDecoder(.bits24)
    #expect(stream.packets.allSatisfy { decoder.hear($0).error == .discardPacket })
    var table = stream.decoder()
    var packet = stream.packets[0]
    packet.info.format.setup = 0
    #expect(table.hear(packet).error == .discardPacket)
    packet.info.format.setup = 2
    #expect(table.hear(packet).error == .discardPacket)
    // And the right one after it is heard.
    #expect(stream.packets.map { table.hear($0) } == stream.hear())
  }

  /// A set-up that comes late is found after so many failures.
  @Test func aRefusedSetupIsTriedAgain() {
    let stream = Self.kinds[0]()
    let setups = SetupTable()
    var decoder = PacketDecoder(.bits24, setups: setups)
    #expect(decoder.hear(stream.packets[0]).error == .discardPacket)
    _ = setups.number(of: stream.setup)
    let failed = (1..<100).prefix { _ in decoder.hear(stream.packets[0]).error != nil }
    #expect(failed.count == 15)
  }

  @Test(arguments: kinds.indices)
  func setupsOfOtherShapesAreRefused(index: Int) {
    let stream = Self.kinds[index]()
    let (codec, headers) = (stream.setup.codec, stream.setup.headers)
    #expect(!isRefused(stream, stream.setup))
    #expect(isRefused(stream, CodecSetup(codec, [])))
    #expect(isRefused(stream, CodecSetup(codec, headers + [[]])))
    #expect(isRefused(stream, CodecSetup(codec, [Array(repeating: 0, count: CodecSetup.mostBytes + 1)])))
    let padding = [UInt8](repeating: 0, count: CodecSetup.mostBytes)
    #expect(isRefused(stream, CodecSetup(codec, headers.dropLast() + [(headers.last ?? []) + padding])))
    #expect(isRefused(stream, CodecSetup(codec == .opus ? .flac : .opus, headers)))
    for (place, header) in headers.enumerated() {
      // Of what says how long it is, every shorter one is refused.
      let step = max(1, header.count / 200)
      for count in stride(from: 0, to: header.count - (codec == .pcm ? 0 : 1), by: step) {
        var cut = headers
        cut[place] = Array(header.prefix(count))
        // A header without the channels' places is what one or two channels have.
        #expect(isRefused(stream, CodecSetup(codec, cut)) || codec == .opus && count >= 19)
      }
    }
  }

  /// Changed bytes may be what another stream has; nothing but a sound or an error may come of them.
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
        // Mostly behind what says whose it is.
        Array(header.prefix(.random(in: 0...30, using: &random))) + random.bytes(.random(in: 0...400, using: &random))
      }
      #expect(hear(stream, CodecSetup(stream.setup.codec, headers)).allSatisfy { $0.peak <= 8_388_608 })
    }
  }

  @Test func moreChannelsThanEightAreRefused() {
    var vorbis = Self.kinds[2]().setup.headers
    var bits = LowBitWriter([5] + Array("vorbis".utf8))
    bits.write(0, 8)
    bits.writeOrderedBook(8, length: 3)
    bits.writeLeastBehindBooks()
    vorbis[1] = bits.bytes
    vorbis[0][11] = 8
    #expect(VorbisDecoder(.bits24, CodecSetup(.vorbis, vorbis)) != nil)
    vorbis[0][11] = 9
    #expect(isRefused(Self.kinds[2](), CodecSetup(.vorbis, vorbis)))
    // Of Opus' family 0 there are two at most; family 255 tells no places.
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
    let others = other.packets.map { packet in
      var packet = packet
      packet.info.format.setup = number
      return packet
    }
    for _ in 0..<2 {
      #expect(one.packets.map { decoder.hear($0) } == one.hear())
      #expect(others.map { decoder.hear($0) } == other.hear())
    }
  }

  @Test func codecsFollowEachOther() throws {
    let streams = Self.kinds.map { $0() }
    let setups = SetupTable()
    var decoder = PacketDecoder(.bits24, setups: setups)
    let mpeg = try Programme("cbr-44100.mp3").packets
    for stream in streams {
      let number = setups.number(of: stream.setup)
      let heard = stream.packets.map { packet in
        var packet = packet
        packet.info.format.setup = number
        return decoder.hear(packet)
      }
      #expect(heard == stream.hear())
      #expect(mpeg.map { decoder.hear($0) } == DecoderBench.hear(mpeg))
    }
  }

  /// A header of some hundred bytes that describes a book of 4 million entries, and many such books. libvorbis would
  /// take 48 MB of stack for the first.
  @Test func codebooksThatTakeTooMuchAreRefused() {
    let head = [5] + Array("vorbis".utf8)
    for (books, entries, length) in [(1, 1 << 22, 22), (200, 1 << 13, 13), (1, 8_193, 14)] {
      var bits = LowBitWriter(head)
      bits.write(books - 1, 8)
      for _ in 0..<books { bits.writeOrderedBook(entries, length: length) }
      #expect(VorbisCodebooks(bits.bytes + [0, 0, 0, 0]) == nil)
      var headers = Self.kinds[2]().setup.headers
      headers[1] = bits.bytes + [0, 0, 0, 0]
      #expect(isRefused(Self.kinds[2](), CodecSetup(.vorbis, headers)))
    }
    var bits = LowBitWriter(head)
    bits.write(0, 8)
    bits.writeOrderedBook(1 << 13, length: 13)
    #expect(VorbisCodebooks(bits.bytes + [0, 0, 0, 0])?.longest == 1 << 13)
  }

  /// The decode thread has 256 KiB of stack: for a book of the largest size, for eight channels of 120 ms, for damage.
  @Test func theDecodeThreadsStackIsEnough() {
    var bits = LowBitWriter([5] + Array("vorbis".utf8))
    bits.write(0, 8)
    bits.writeOrderedBook(1 << 13, length: 13)
    var large = Self.kinds[2]()
    bits.writeLeastBehindBooks()
    large.setup = CodecSetup(.vorbis, [large.setup.headers[0], bits.bytes])
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

/// Bits in the order of Vorbis.
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

  /// A codebook of one dimension, all of whose codes have one length.
  mutating func writeOrderedBook(_ entries: Int, length: Int) {
    write(0x56_4342, 24)
    write(1, 16)
    write(entries, 24)
    write(1, 1)
    write(length - 1, 5)
    write(entries, Int.bitWidth - entries.leadingZeroBitCount)
    write(0, 4)
  }

  /// The least that a set-up header has behind its books: one floor, one residue, one mapping and one mode.
  mutating func writeLeastBehindBooks() {
    let fields = [
      (0, 6), (0, 16), (0, 6), (1, 16), (0, 5), (0, 2), (0, 4), (0, 6), (0, 16), (0, 24), (0, 24), (0, 24), (0, 6),
      (0, 8), (0, 4), (0, 6), (0, 16), (0, 4), (0, 24), (0, 6), (0, 1), (0, 16), (0, 16), (0, 8), (1, 1),
    ]
    for (value, count) in fields { write(value, count) }
  }
}

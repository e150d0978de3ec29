import Blocks
import Framing
import SeededRandom
import Units

enum Build {
  /// An MPEG-1 Layer III header; by default 128 kbit/s and 44,100 Hz.
  static func mpegHeader(
    version: UInt8 = 3, layer: UInt8 = 3, bitRate: UInt8 = 9, rate: UInt8 = 0, padding: Bool = false, mode: UInt8 = 1,
    hasCRC: Bool = false
  ) -> [UInt8] {
    [
      0xFF, 0xE0 | version << 3 | (4 - layer) << 1 | (hasCRC ? 0 : 1), bitRate << 4 | rate << 2 | (padding ? 2 : 0),
      mode << 6 | 4,
    ]
  }

  static func mpeg(
    version: UInt8 = 3, layer: UInt8 = 3, bitRate: UInt8 = 9, rate: UInt8 = 0, padding: Bool = false, mode: UInt8 = 1,
    seed: UInt64 = 1
  ) -> [UInt8] {
    let header = mpegHeader(
      version: version, layer: layer, bitRate: bitRate, rate: rate, padding: padding, mode: mode)
    let byteCount = MpegHeader(header.span)!.byteCount!
    return header + quiet(byteCount - 4, seed: seed)
  }

  /// A free-format frame of `byteCount` bytes, plus padding.
  static func free(layer: UInt8 = 3, byteCount: Int, padding: Bool = false, seed: UInt64 = 1) -> [UInt8] {
    let slot = padding ? (layer == 1 ? 4 : 1) : 0
    return mpegHeader(layer: layer, bitRate: 0, padding: padding) + quiet(byteCount + slot - 4, seed: seed)
  }

  static func adtsHeader(
    byteCount: Int, profile: UInt8 = 1, rate: UInt8 = 4, channels: UInt8 = 2, extraBlocks: UInt8 = 0,
    isMpeg2: Bool = false, hasCRC: Bool = false
  ) -> [UInt8] {
    [
      0xFF, 0xF0 | (isMpeg2 ? 8 : 0) | (hasCRC ? 0 : 1), profile << 6 | rate << 2 | channels >> 2,
      (channels & 3) << 6 | UInt8(byteCount >> 11), UInt8(byteCount >> 3 & 0xFF), UInt8(byteCount & 7) << 5 | 0x1F,
      0xFC | extraBlocks,
    ]
  }

  static func adts(
    byteCount: Int = 372, profile: UInt8 = 1, rate: UInt8 = 4, channels: UInt8 = 2, seed: UInt64 = 1
  ) -> [UInt8] {
    adtsHeader(byteCount: byteCount, profile: profile, rate: rate, channels: channels)
      + quiet(byteCount - 7, seed: seed)
  }

  /// Bytes without syncs and tags, and without longer runs of equal bytes.
  static func quiet(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed)
    return random.bytes(count).map { $0 & 0x7F | 0x01 }.map { $0 == 0x49 || $0 == 0x47 ? 0x11 : $0 }
  }

  static func id3(_ content: [UInt8], version: UInt8 = 4, hasFooter: Bool = false) -> [UInt8] {
    let size: [UInt8] = (0..<4).map { UInt8(content.count >> (21 - 7 * $0) & 0x7F) }
    let rest: [UInt8] = [version, 0, hasFooter ? 0x10 : 0] + size
    let tag: [UInt8] = Array("ID3".utf8) + rest + content
    return hasFooter ? tag + Array("3DI".utf8) + rest : tag
  }

  static func ape(_ content: [UInt8]) -> [UInt8] {
    func mark(_ flags: UInt8) -> [UInt8] {
      let size: [UInt8] = (0..<4).map { UInt8((content.count + 32) >> (8 * $0) & 0xFF) }
      let rest: [UInt8] = [1, 0, 0, 0, 0, 0, 0, flags, 0, 0, 0, 0, 0, 0, 0, 0]
      return Array("APETAGEX".utf8) + [0xD0, 0x07, 0, 0] + size + rest
    }
    return mark(0xA0) + content + mark(0x80)
  }

  static let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)

  static let lyrics = Array("LYRICSBEGININD0000200LYR00014some song text000046LYRICS200".utf8)
}

struct Packet: Equatable {
  var info: PacketInfo
  var bytes: [UInt8]
}

struct Framed {
  var packets: [Packet] = []
  var skipped = 0
  var tagged = 0

  /// Frames `stream` in pieces of `step` bytes, and finishes the stream unless `isOpen`.
  init(_ stream: [UInt8], step: Int = .max, isOpen: Bool = false) {
    var framer = PacketFramer()
    var place = 0
    while place < stream.count {
      let piece = stream[place..<(step < stream.count - place ? place + step : stream.count)]
      let taken = framer.append(piece.span)
      place += taken
      while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) == .packet {}
    }
    if !isOpen {
      framer.finish()
      while framer.next({ packets.append(Packet(info: $0, bytes: $1.array)) }) == .packet {}
    }
    skipped = framer.skippedByteCount
    tagged = framer.taggedByteCount
  }

  var bytes: [[UInt8]] { packets.map(\.bytes) }
}

extension Span<UInt8> {
  var array: [UInt8] { indices.map { self[$0] } }
}

extension Array<UInt8> {
  // Test macros cannot capture a span.
  var mpegHeader: MpegHeader? { MpegHeader(span) }
  var adtsHeader: AdtsHeader? { AdtsHeader(span) }
  var isXing: Bool { XingHeader.isPresent(in: span) }
}

extension PacketFramer {
  mutating func feed(_ bytes: [UInt8]) -> Int { append(bytes.span) }
}

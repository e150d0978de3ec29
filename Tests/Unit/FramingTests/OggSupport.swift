import Blocks
import Framing
import SeededRandom
import Units

struct OggWriter {
  var serial: UInt32 = 7
  var sequence: UInt32 = 0

  /// A page of complete packets by default. If `isOpen`, the last packet continues in the next page.
  mutating func page(
    _ packets: [[UInt8]], granule: Int = 0, isFirst: Bool = false, isLast: Bool = false, isContinued: Bool = false,
    isOpen: Bool = false
  ) -> [UInt8] {
    var lacing: [UInt8] = []
    for (index, packet) in packets.enumerated() {
      lacing += [UInt8](repeating: 255, count: packet.count / 255)
      if !isOpen || index < packets.count - 1 { lacing.append(UInt8(packet.count % 255)) }
    }
    var flags: UInt8 = isContinued ? 1 : 0
    if isFirst { flags |= 2 }
    if isLast { flags |= 4 }
    defer { sequence &+= 1 }
    let head = OggBytes.row(Array("OggS".utf8), [0, flags], OggBytes.low(granule, 8))
    let rest = OggBytes.row([UInt8(lacing.count)], lacing, Array(packets.joined()))
    return Self.sealed(head + OggBytes.numbers(Int(serial), Int(sequence), 0) + rest)
  }

  /// One packet on as many pages as needed, with `segments` segments each.
  mutating func pages(of packet: [UInt8], granule: Int = 0, segments: Int = 255) -> [UInt8] {
    var (bytes, place) = ([UInt8](), 0)
    while packet.count - place >= segments * 255 {
      let part = Array(packet[place..<place + segments * 255])
      bytes += page([part], granule: -1, isContinued: place > 0, isOpen: true)
      place += part.count
    }
    return bytes + page([Array(packet[place...])], granule: granule, isContinued: place > 0)
  }

  /// Computes the page's checksum bit by bit.
  static func sealed(_ page: [UInt8]) -> [UInt8] {
    var crc: UInt32 = 0
    for byte in page {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc >> 31 == 1 ? (crc << 1) ^ 0x04C1_1DB7 : crc << 1 }
    }
    return page[..<22] + OggBytes.low(Int(crc), 4) + page[26...]
  }
}

enum OggBytes {
  static func low(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func numbers(_ values: Int...) -> [UInt8] { values.flatMap { low($0, 4) } }

  /// Concatenates the parts; a long sum of arrays compiles slowly.
  static func row(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  static func comments(_ texts: [String], vendor: String = "test") -> [UInt8] {
    let fields = texts.flatMap { low($0.utf8.count, 4) + Array($0.utf8) }
    return row(low(vendor.utf8.count, 4), Array(vendor.utf8), low(texts.count, 4), fields)
  }
}

/// Writes bits in Vorbis order, least significant bit first.
struct LowBitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func put(_ value: Int, _ width: Int) {
    for bit in 0..<width {
      if count % 8 == 0 { bytes.append(0) }
      if value >> bit & 1 == 1 { bytes[count / 8] |= 1 << UInt8(count % 8) }
      count += 1
    }
  }
}

/// Streams of the three codecs without real audio, but with valid durations.
enum OggSample {
  static func vorbisHead(rate: Int = 44_100, channels: UInt8 = 2, short: UInt8 = 8, long: UInt8 = 11) -> [UInt8] {
    OggBytes.row(
      [1], Array("vorbis".utf8), [0, 0, 0, 0, channels], OggBytes.numbers(rate, 0, 0, 0), [short | long << 4, 1])
  }

  static func vorbisComments(_ texts: [String] = []) -> [UInt8] {
    OggBytes.row([3], Array("vorbis".utf8), OggBytes.comments(texts), [1])
  }

  /// A minimal set-up header, by default with a short and a long mode.
  static func vorbisSetup(modes: [Bool] = [false, true]) -> [UInt8] {
    var bits = LowBitWriter()
    // In this order: a book of two entries, no times, a floor of type 0, a residue, a mapping.
    for (value, width) in [(0, 8), (0x564342, 24), (1, 16), (2, 24), (0, 1), (0, 1), (0, 5), (0, 5), (0, 4)] {
      bits.put(value, width)
    }
    for (value, width) in [(0, 6), (0, 16), (0, 6), (0, 16), (0, 54), (0, 4), (0, 8)] { bits.put(value, width) }
    for (value, width) in [(0, 6), (0, 16), (0, 72), (0, 6), (0, 8), (0, 3), (0, 1)] { bits.put(value, width) }
    for (value, width) in [(0, 6), (0, 16), (0, 1), (0, 1), (0, 2), (0, 24)] { bits.put(value, width) }
    bits.put(modes.count - 1, 6)
    for isLong in modes {
      bits.put(isLong ? 1 : 0, 1)
      bits.put(0, 40)
    }
    bits.put(1, 1)
    return [5] + Array("vorbis".utf8) + bits.bytes
  }

  /// A packet with a short block (256 samples) or a long block (2,048 samples).
  static func vorbis(isLong: Bool = true, byteCount: Int = 90, seed: UInt64 = 1) -> [UInt8] {
    [isLong ? 2 : 0] + Build.quiet(byteCount - 1, seed: seed)
  }

  static func opusHead(preSkip: Int = 312, channels: UInt8 = 2) -> [UInt8] {
    OggBytes.row(
      Array("OpusHead".utf8), [1, channels], OggBytes.low(preSkip, 2), OggBytes.numbers(44_100), [0, 0, 0])
  }

  static func opusTags(_ texts: [String] = []) -> [UInt8] { Array("OpusTags".utf8) + OggBytes.comments(texts) }

  /// A packet of one frame of 20 ms: 960 frames at 48 kHz.
  static func opus(byteCount: Int = 80, seed: UInt64 = 1) -> [UInt8] { [0xF8] + Build.quiet(byteCount - 1, seed: seed) }

  static func flacInfo(rate: Int = 44_100) -> [UInt8] {
    let (high, low) = (UInt8(rate >> 12), UInt8(rate >> 4 & 0xFF))
    return [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, high, low, UInt8(rate & 15) << 4 | 2, 0xF0]
      + [UInt8](repeating: 0, count: 20)
  }

  static func flacHead(headers: Int, rate: Int = 44_100) -> [UInt8] {
    OggBytes.row(
      [0x7F], Array("FLAC".utf8), [1, 0, UInt8(headers >> 8), UInt8(headers & 0xFF)], Array("fLaC".utf8),
      [0, 0, 0, 34], flacInfo(rate: rate))
  }

  static func flacComments(_ texts: [String], isLast: Bool = true) -> [UInt8] {
    let comments = OggBytes.comments(texts)
    return [isLast ? 0x84 : 0x04, 0, UInt8(comments.count >> 8), UInt8(comments.count & 0xFF)] + comments
  }

  /// A frame of 4,096 samples.
  static func flac(_ number: UInt8, byteCount: Int = 120) -> [UInt8] {
    let head: [UInt8] = [0xFF, 0xF8, 0xC9, 0x18, number]
    var crc: UInt8 = 0
    for byte in head {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
    }
    return head + [crc] + Build.quiet(byteCount - 6, seed: UInt64(number))
  }

  static func vorbisHeaders(_ writer: inout OggWriter, rate: Int = 44_100, tags: [String] = []) -> [UInt8] {
    writer.page([vorbisHead(rate: rate)], isFirst: true) + writer.page([vorbisComments(tags), vorbisSetup()])
  }

  static func opusHeaders(_ writer: inout OggWriter, preSkip: Int = 312, tags: [String] = []) -> [UInt8] {
    writer.page([opusHead(preSkip: preSkip)], isFirst: true) + writer.page([opusTags(tags)])
  }

  /// A Vorbis stream of `pages` pages, with four long packets each.
  static func vorbisStream(
    serial: UInt32 = 7, rate: Int = 44_100, pages: Int = 3, tags: [String] = [], ends: Bool = true
  )
    -> [UInt8]
  {
    var writer = OggWriter(serial: serial)
    var bytes = vorbisHeaders(&writer, rate: rate, tags: tags)
    for page in 1...pages {
      let packets = (0..<4).map { vorbis(byteCount: 90 + $0, seed: UInt64(page * 4 + $0)) }
      bytes += writer.page(packets, granule: page * 4_096 - 1_024, isLast: ends && page == pages)
    }
    return bytes
  }

  /// An Opus stream of `pages` pages, with five packets each.
  static func opusStream(serial: UInt32 = 8, pages: Int = 3, tags: [String] = []) -> [UInt8] {
    var writer = OggWriter(serial: serial)
    var bytes = opusHeaders(&writer, tags: tags)
    for page in 1...pages {
      let packets = (0..<5).map { opus(byteCount: 80 + $0, seed: UInt64(page * 5 + $0)) }
      bytes += writer.page(packets, granule: page * 4_800, isLast: page == pages)
    }
    return bytes
  }
}

struct OggOutcome {
  enum Item: Equatable {
    case setup(CodecSetup)
    case tags(StreamTags)
    case packet(Packet)
  }

  var items: [Item] = []
  var skipped = 0
  /// Maximum number of buffered bytes.
  var mostHeld = 0
  var refusal: RefusedCodec?

  /// Frames `stream` in pieces of `step` bytes with a new framer, to the end.
  init(_ stream: [UInt8], step: Int = .max) {
    var framer = OggFramer()
    self.init(stream, step: step, with: &framer)
  }

  init(_ stream: [UInt8], step: Int = .max, with framer: inout OggFramer) {
    var place = 0
    while place < stream.count {
      let piece = stream[place..<(step < stream.count - place ? place + step : stream.count)]
      place += framer.append(piece.span)
      collect(&framer)
    }
    framer.finish()
    collect(&framer)
    (skipped, refusal) = (framer.skippedByteCount, framer.refusal)
  }

  private mutating func collect(_ framer: inout OggFramer) {
    while true {
      mostHeld = max(mostHeld, framer.heldByteCount)
      var packet: Packet?
      switch framer.next({ packet = Packet(info: $0, bytes: $1.array) }) {
      case .packet: items.append(packet.map { .packet($0) } ?? .tags(StreamTags(title: "a packet that is none")))
      case .setup(let setup): items.append(.setup(setup))
      case .tags(let tags): items.append(.tags(tags))
      case .needsMore: return
      }
    }
  }

  var packets: [Packet] { items.compactMap { if case .packet(let packet) = $0 { packet } else { nil } } }
  var bytes: [[UInt8]] { packets.map(\.bytes) }
  var tags: [StreamTags] { items.compactMap { if case .tags(let tags) = $0 { tags } else { nil } } }
  var setups: [CodecSetup] { items.compactMap { if case .setup(let setup) = $0 { setup } else { nil } } }
  /// Audible frames of each packet.
  var frames: [Int] { packets.map { $0.info.duration.frames(at: $0.info.format.sampleRate).value } }
  var firstFrames: [Int?] { packets.map(\.info.firstFrame) }
  var gaps: [Bool] { packets.map(\.info.followsGap) }
}

extension Array<UInt8> {
  var oggFacts: FramedFacts? {
    var framer = OggFramer()
    _ = OggOutcome(self, with: &framer)
    return framer.facts
  }

  /// Frames up to the end, if these are the last bytes of a file.
  func length(by facts: FramedFacts) -> Int? { facts.length(byTail: span)?.frames(at: facts.rate).value }
}

extension OggFramer {
  mutating func feed(_ bytes: [UInt8]) -> Int { append(bytes.span) }

  mutating func drain() { while next({ _, _ in }) != .needsMore {} }
}

import Framing

struct Unpacked: Equatable {
  var sound: [UInt8] = []
  var tags: [UInt8] = []

  /// Checks that audio and tags do not depend on the sizes of the pieces, and that their size is bounded by the input.
  static func check(_ bytes: [UInt8], _ pieces: [Range<Int>], _ unpack: ([UInt8], [Range<Int>]) -> Unpacked) {
    let whole = unpack(bytes, [0..<bytes.count])
    expect(whole == unpack(bytes, pieces), "sound and tags do not change by how a stream is cut")
    let least = 16 * bytes.count + 65_536
    expect(whole.sound.count <= least && whole.tags.count <= least, "no more comes than a stream can hold")
  }
}

final class LatmReading: FuzzTarget {
  static let name = "latm"
  static let longest = 1_024
  static let seeds = [
    [0, 0x56, 0xE0, 0x0B, 0x20, 0, 0x11, 0x90, 0, 0, 0, 0x20, 1, 2, 3], [0, 0x56, 0xE0, 0x04, 0x80, 0, 0, 0],
    [3, 5, 0x20, 0, 0x11, 0x90, 0, 4, 0x80, 1, 2, 3],
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let wraps = recipe.byte() & 1 == 1
    let sizes = recipe.take(4)
    let stream = wraps ? Self.frames(&recipe) : recipe.rest()
    var arrival = Recipe(sizes.span)
    Unpacked.check(stream, arrival.pieces(of: stream.count)) { bytes, pieces in
      var reader = LatmReader()
      var found = Unpacked()
      for piece in pieces { reader.read(bytes.span.extracting(piece)) { found.sound += $0.array } }
      return found
    }
  }

  /// Creates frames with any content, each with its sync word and length (ISO 14496-3, 1.7.2).
  private static func frames(_ recipe: inout Recipe) -> [UInt8] {
    var stream: [UInt8] = []
    while !recipe.isOver {
      let content = recipe.take(recipe.number(0...255))
      stream += [0x56, 0xE0 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
    return stream
  }
}

/// Unpacks a transport stream: tables and packets by a recipe, or any bytes.
final class TransportReading: FuzzTarget {
  static let name = "transport"
  static let longest = 1_024
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 0, 0, 0, 1, 0x0F, 2, 30, 0, 0, 1, 0xC0, 0, 0, 0x80, 0, 0, 0xFF, 0xF1, 0x50, 0x80, 1, 0x7F, 0xFC, 3, 20],
    [1, 1, 1, 1, 1, 0, 1, 3, 1, 4, 2, 9, 0, 0, 1, 0xC0, 0, 0, 0x84, 0x80, 5], [2, 0, 0, 0, 0, 0, 1, 0x11, 1, 0x15],
  ]
  private static let types: [UInt8] = [0x0F, 0x11, 0x03, 0x04, 0x15, 0x1B, 0x81, 0x06, 0xCF]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    var stream: [UInt8] = []
    var counters: [UInt8] = [0, 0, 0, 0]
    while !recipe.isOver { Self.add(to: &stream, &counters, &recipe) }
    var arrival = Recipe(sizes.span)
    Unpacked.check(stream, arrival.pieces(of: stream.count)) { bytes, pieces in
      var reader = TransportStreamReader()
      var found = Unpacked()
      for piece in pieces {
        reader.read(bytes.span.extracting(piece), audio: { found.sound += $0.array }, tag: { found.tags += $0.array })
      }
      return found
    }
  }

  private static func add(to stream: inout [UInt8], _ counters: inout [UInt8], _ recipe: inout Recipe) {
    switch recipe.byte() % 6 {
    case 0: stream += packet(0, [0] + section(0, [0, 1, 0xF0, 0]), starts: true, &counters[0])
    case 1:
      var entries: [UInt8] = []
      for place in 0..<recipe.number(0...2) {
        entries += [recipe.pick(types), 0xE1, UInt8(place), 0xF0, 0]
      }
      let map = section(2, [0xE1, 0, 0xF0, 0] + entries)
      stream += packet(0x1000, [0] + map, starts: true, &counters[1])
    case 2, 3:
      let place = recipe.number(0...1)
      let starts = recipe.flag()
      let head: [UInt8] = starts && recipe.flag() ? [0, 0, 1, 0xC0, 0, 0, 0x80, 0, 0] : []
      let payload = head + recipe.take(recipe.number(0...183))
      stream += packet(0x100 + place, Array(payload.prefix(184)), starts: starts, &counters[2 + place])
    case 4: stream += recipe.take(recipe.number(0...255))
    default: counters[recipe.number(0...3)] &+= recipe.byte()
    }
  }

  private static func packet(_ pid: Int, _ payload: [UInt8], starts: Bool, _ counter: inout UInt8) -> [UInt8] {
    let content = payload.prefix(184)
    let room = 184 - content.count
    var packet: [UInt8] = [0x47, (starts ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF)]
    packet.append((room > 0 ? 0x30 : 0x10) | counter & 15)
    if room > 0 { packet.append(UInt8(room - 1)) }
    if room > 1 { packet += [0] + [UInt8](repeating: 0xFF, count: room - 2) }
    counter &+= 1
    return packet + content
  }

  /// Creates a section with its CRC (ISO 13818-1, Annex B).
  private static func section(_ table: UInt8, _ body: [UInt8]) -> [UInt8] {
    let section = [table, 0xB0, UInt8(body.count + 9), 0, 1, 0xC1, 0, 0] + body
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in section {
      for bit in (0..<8).reversed() {
        let isSet = (sum >> 31 ^ UInt32(byte >> bit & 1)) == 1
        sum = sum << 1 ^ (isSet ? 0x04C1_1DB7 : 0)
      }
    }
    return section + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
  }
}

/// Unpacks MP4 fragments: boxes by a recipe, or any bytes.
final class FragmentReading: FuzzTarget {
  static let name = "fragments"
  static let longest = 1_024
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 0, 0, 8, 12, 1, 9, 14, 2, 10, 16, 3, 11, 17, 4, 20], [0, 1, 2, 3, 1, 0, 0, 0, 8, 0x66, 0x74, 0x79, 0x70],
  ]
  private static let names = [
    "ftyp", "moov", "trak", "mdia", "minf", "stbl", "stsd", "mp4a", "esds", "mvex", "trex", "moof", "traf", "tfhd",
    "tfdt", "trun", "mdat", "emsg", "tkhd", "mdhd", "hdlr", "styp", "sidx", "free", "enca", "elst", "edts",
  ].map { Array($0.utf8) }

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    let stream = recipe.flag() ? recipe.rest() : Self.boxes(&recipe, depth: 0)
    var arrival = Recipe(sizes.span)
    Unpacked.check(stream, arrival.pieces(of: stream.count)) { bytes, pieces in
      var reader = FragmentReader()
      var found = Unpacked()
      for piece in pieces {
        reader.read(bytes.span.extracting(piece), audio: { found.sound += $0.array }, tag: { found.tags += $0.array })
      }
      return found
    }
  }

  /// Creates nested boxes. Some have a wrong length.
  private static func boxes(_ recipe: inout Recipe, depth: Int) -> [UInt8] {
    var stream: [UInt8] = []
    while !recipe.isOver {
      let name = recipe.pick(names)
      var content = recipe.take(recipe.number(0...40))
      let end = recipe.byte()
      if end & 3 == 0, depth < 6 { content += boxes(&recipe, depth: depth + 1) }
      let length = content.count + 8 + (end & 0xF0 == 0xF0 ? Int(recipe.byte()) - 128 : 0)
      stream += (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + name + content
      if end & 7 == 1 { break }
    }
    return stream
  }
}

/// Detects the container in a segment's first bytes.
final class ContainerReading: FuzzTarget {
  static let name = "container"
  static let longest = 1_024
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 0] + Array("ID3\u{4}\0\0\0\0\0\u{2}aa".utf8) + [0xFF, 0xF1, 0x50, 0x80],
    [0, 0, 0, 0, 0x47, 0x40, 0, 0x10], [0, 0, 0, 0, 0x56, 0xE0, 4], [0, 0, 0, 0, 0, 0, 0, 8] + Array("styp".utf8),
  ]

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let sizes = recipe.take(4)
    let (first, second) = (recipe.take(recipe.number(0...512)), recipe.rest())
    var arrival = Recipe(sizes.span)
    let stream = first + second
    let pieces = arrival.pieces(of: stream.count)
    Unpacked.check(stream, pieces) { bytes, pieces in
      var reader = ContainerReader()
      var found = Unpacked()
      for piece in pieces {
        reader.read(bytes.span.extracting(piece), audio: { found.sound += $0.array }, tag: { found.tags += $0.array })
      }
      return found
    }
    // A new segment may start after any bytes of the previous segment.
    var reader = ContainerReader()
    for part in [first, second] {
      reader.beginSegment()
      reader.read(part.span, audio: { _ in }, tag: { _ in })
      _ = reader.refusal
    }
  }
}

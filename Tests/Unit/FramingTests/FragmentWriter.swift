import Framing

/// Boxes of ISO 14496-12, written by the byte.
enum BoxWriter {
  static func number(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (byteCount - 1 - $0))) }
  }

  static func u32(_ values: UInt32...) -> [UInt8] { values.flatMap { number(UInt64($0), 4) } }

  enum Size { case short, long, toTheEnd }

  static func make(_ type: String, _ content: [UInt8]..., size: Size = .short) -> [UInt8] {
    let content = content.flatMap { $0 }
    let name = Array(type.unicodeScalars.map { UInt8($0.value) })
    return switch size {
    case .short: u32(UInt32(content.count + 8)) + name + content
    case .long: u32(1) + name + number(UInt64(content.count + 16), 8) + content
    case .toTheEnd: u32(0) + name + content
    }
  }

  static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ content: [UInt8]...) -> [UInt8] {
    make(type, u32(UInt32(version) << 24 | flags), content.flatMap { $0 })
  }

  /// A descriptor with its length in so many bytes (ISO 14496-1, 8.3.3).
  static func descriptor(_ tag: UInt8, _ content: [UInt8], lengthByteCount: Int = 1) -> [UInt8] {
    let length = (0..<lengthByteCount).map { index in
      UInt8(content.count >> (7 * (lengthByteCount - 1 - index)) & 0x7F) | (index < lengthByteCount - 1 ? 0x80 : 0)
    }
    return [tag] + length + content
  }

  /// An `esds`; `flags` are those of the ES_Descriptor, whose fields follow.
  static func esds(
    objectType: UInt8 = 0x40, config: [UInt8]? = [0x12, 0x10], lengthByteCount: Int = 1, flags: [UInt8] = [0]
  ) -> [UInt8] {
    let specific = config.map { descriptor(5, $0, lengthByteCount: lengthByteCount) } ?? []
    let decoder = [objectType, 0x15] + [UInt8](repeating: 0, count: 11) + specific
    let sync = descriptor(6, [2], lengthByteCount: lengthByteCount)
    let stream = [0, 1] + flags + descriptor(4, decoder, lengthByteCount: lengthByteCount) + sync
    return full("esds", descriptor(3, stream, lengthByteCount: lengthByteCount))
  }

  /// A sample entry of sound with these boxes in it.
  static func entry(_ boxes: [UInt8], type: String = "mp4a", version: UInt16 = 0, added: Int = 0) -> [UInt8] {
    let head = [0, 0, 0, 0, 0, 0, 0, 1] + number(UInt64(version), 2) + [UInt8](repeating: 0, count: 6)
    return make(type, head, [0, 2, 0, 16, 0, 0, 0, 0, 0xAC, 0x44, 0, 0], [UInt8](repeating: 0, count: added), boxes)
  }
}

/// A track of a `moov`, and fragments of it.
struct FragmentWriter {
  var id: UInt32 = 1
  var handler = "soun"
  var timescale: UInt32 = 44_100
  var entries: [[UInt8]] = [BoxWriter.entry(BoxWriter.esds())]
  /// The version of `stsd`, and that of all boxes that have a form with 64 bits.
  var stsdVersion: UInt8 = 0
  var version: UInt8 = 0
  /// What `trex` says.
  var defaultDescription: UInt32 = 1
  var defaultByteCount: UInt32 = 0
  /// Samples in `stsz`.
  var sampleCount: UInt32 = 0

  var trak: [UInt8] {
    let times = [UInt8](repeating: 0, count: version == 0 ? 8 : 16)
    let tkhd = BoxWriter.full(
      "tkhd", version: version, flags: 7, times, BoxWriter.u32(id), [UInt8](repeating: 0, count: 68))
    let mdhd = BoxWriter.full("mdhd", version: version, times, BoxWriter.u32(timescale), times, [0x55, 0xC4, 0, 0])
    let hdlr = BoxWriter.full("hdlr", BoxWriter.u32(0), Array(handler.utf8), [UInt8](repeating: 0, count: 13))
    let stsd = BoxWriter.full(
      "stsd", version: stsdVersion, BoxWriter.u32(UInt32(entries.count)), entries.flatMap { $0 })
    let sizes = BoxWriter.full(
      "stsz", BoxWriter.u32(0, sampleCount), [UInt8](repeating: 9, count: Int(sampleCount) * 4))
    let stbl = BoxWriter.make(
      "stbl", stsd, BoxWriter.full("stts", BoxWriter.u32(0)), sizes, BoxWriter.full("stco", BoxWriter.u32(0)))
    return BoxWriter.make(
      "trak", tkhd,
      BoxWriter.make("mdia", mdhd, hdlr, BoxWriter.make("minf", BoxWriter.full("smhd", BoxWriter.u32(0)), stbl)))
  }

  var trex: [UInt8] { BoxWriter.full("trex", BoxWriter.u32(id, defaultDescription, 1024, defaultByteCount, 0)) }

  /// `ftyp` and `moov`, with other tracks before this one.
  func head(behind others: [FragmentWriter] = [], isFragmented: Bool = true, size: BoxWriter.Size = .short) -> [UInt8] {
    let all = others + [self]
    let mvex = isFragmented ? BoxWriter.make("mvex", all.flatMap(\.trex)) : []
    return BoxWriter.make("ftyp", Array("iso6".utf8), BoxWriter.u32(0), Array("cmfc".utf8))
      + BoxWriter.make(
        "moov", BoxWriter.full("mvhd", [UInt8](repeating: 0, count: 96)), all.flatMap(\.trak), mvex, size: size)
  }

  /// One `traf`, given what stands in `tfhd` and the runs.
  func traf(flags: UInt32 = 0x2_0000, fields: [UInt8] = [], time: UInt64? = 0, _ runs: [[UInt8]]) -> [UInt8] {
    let tfdt = time.map { BoxWriter.full("tfdt", version: version, BoxWriter.number($0, version == 0 ? 4 : 8)) } ?? []
    return BoxWriter.make(
      "traf", BoxWriter.full("tfhd", flags: flags, BoxWriter.u32(id), fields), tfdt, runs.flatMap { $0 })
  }

  /// A `trun` with the size of each unit, and other fields if `isRich`.
  static func run(_ units: [[UInt8]], offset: Int?, isRich: Bool = false) -> [UInt8] {
    let fields = units.flatMap { unit -> [UInt8] in
      let size = UInt32(unit.count)
      return isRich ? BoxWriter.u32(1024, size, 0x200_0000, 0) : BoxWriter.u32(size)
    }
    let flags: UInt32 = (isRich ? 0xF04 : 0x200) | (offset == nil ? 0 : 1)
    let place = offset.map { BoxWriter.u32(UInt32(bitPattern: Int32($0))) } ?? []
    return BoxWriter.full(
      "trun", flags: flags, BoxWriter.u32(UInt32(units.count)), place, isRich ? BoxWriter.u32(0) : [], fields)
  }

  /// A `moof` around what `trafs` makes of the `moof`'s length: the offset of what follows it.
  static func moof(size: BoxWriter.Size = .short, _ trafs: (Int) -> [UInt8]) -> [UInt8] {
    let head = BoxWriter.full("mfhd", BoxWriter.u32(1))
    let byteCount = BoxWriter.make("moof", head, trafs(0), size: size).count
    return BoxWriter.make("moof", head, trafs(byteCount), size: size)
  }

  /// A plain fragment: a `moof` with one run, and its `mdat`.
  func fragment(_ units: [[UInt8]], time: UInt64 = 0) -> [UInt8] {
    Self.moof { traf(time: time, [Self.run(units, offset: $0 + 8)]) } + BoxWriter.make("mdat", units.flatMap { $0 })
  }
}

/// What a reader made of a stream.
struct ReadFragments: Equatable {
  var audio: [UInt8] = []
  var tags: [[UInt8]] = []

  /// Reads on with `reader`, in pieces of `step` bytes.
  init(_ stream: [UInt8], with reader: inout FragmentReader, step: Int = .max) {
    var place = 0
    while place < stream.count {
      let end = step < stream.count - place ? place + step : stream.count
      reader.read(
        stream[place..<end].span, audio: { append($0, to: \.audio) }, tag: { tags.append($0.array) })
      place = end
    }
  }

  init(_ stream: [UInt8], step: Int = .max) {
    var reader = FragmentReader()
    self.init(stream, with: &reader, step: step)
  }

  private mutating func append(_ bytes: Span<UInt8>, to path: WritableKeyPath<Self, [UInt8]>) {
    for index in bytes.indices { self[keyPath: path].append(bytes[index]) }
  }

  /// The packets that a framer finds in the sound.
  var packets: [[UInt8]] { Framed(audio).bytes }
}

/// Access units, and the frames that they become.
enum AccessUnits {
  static func make(_ sizes: [Int], seed: UInt64 = 1) -> [[UInt8]] {
    sizes.enumerated().map { Build.quiet($1, seed: seed &* 1_000 &+ UInt64($0)) }
  }

  static let some = make([300, 1, 372, 5, 200, 411, 77, 360])

  static func frames(_ units: [[UInt8]], profile: UInt8 = 1, rate: UInt8 = 4, channels: UInt8 = 2) -> [[UInt8]] {
    units.map { Build.adtsHeader(byteCount: $0.count + 7, profile: profile, rate: rate, channels: channels) + $0 }
  }
}

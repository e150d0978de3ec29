/// Writes a `moov` with a track, and fragments for the track.
public struct FragmentWriter: Sendable {
  /// The track's number.
  public var id: UInt32 = 1
  /// The handler type in `hdlr`.
  public var handler = "soun"
  /// Time units per second.
  public var timescale: UInt32 = 44_100
  /// The entries of `stsd`.
  public var entries: [[UInt8]] = [BoxWriter.entry(BoxWriter.esds())]
  /// The version of `stsd`.
  public var stsdVersion: UInt8 = 0
  /// The version of all boxes with a 64-bit form.
  public var version: UInt8 = 0
  /// The default sample description in `trex`.
  public var defaultDescription: UInt32 = 1
  /// The default sample size in `trex`, in bytes.
  public var defaultByteCount: UInt32 = 0
  /// Number of samples in `stsz`.
  public var sampleCount: UInt32 = 0

  /// Creates a writer, by default for an AAC track.
  public init(id: UInt32 = 1, handler: String = "soun", defaultByteCount: UInt32 = 0) {
    (self.id, self.handler, self.defaultByteCount) = (id, handler, defaultByteCount)
  }

  /// The `trak` box.
  public var trak: [UInt8] {
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

  /// The `trex` box.
  public var trex: [UInt8] { BoxWriter.full("trex", BoxWriter.u32(id, defaultDescription, 1024, defaultByteCount, 0)) }

  /// Returns `ftyp` and `moov`. The `others` precede this track.
  public func head(behind others: [FragmentWriter] = [], isFragmented: Bool = true, size: BoxWriter.Size = .short)
    -> [UInt8]
  {
    let all = others + [self]
    let mvex = isFragmented ? BoxWriter.make("mvex", all.flatMap(\.trex)) : []
    return BoxWriter.make("ftyp", Array("iso6".utf8), BoxWriter.u32(0), Array("cmfc".utf8))
      + BoxWriter.make(
        "moov", BoxWriter.full("mvhd", [UInt8](repeating: 0, count: 96)), all.flatMap(\.trak), mvex, size: size)
  }

  /// Returns a `traf`. `fields`: the fields of `tfhd`.
  public func traf(flags: UInt32 = 0x2_0000, fields: [UInt8] = [], time: UInt64? = 0, _ runs: [[UInt8]]) -> [UInt8] {
    let tfdt = time.map { BoxWriter.full("tfdt", version: version, BoxWriter.number($0, version == 0 ? 4 : 8)) } ?? []
    return BoxWriter.make(
      "traf", BoxWriter.full("tfhd", flags: flags, BoxWriter.u32(id), fields), tfdt, runs.flatMap { $0 })
  }

  /// Returns a `trun` with the size of each unit. `isRich`: adds the other fields.
  public static func run(_ units: [[UInt8]], offset: Int?, isRich: Bool = false) -> [UInt8] {
    let fields = units.flatMap { unit -> [UInt8] in
      let size = UInt32(unit.count)
      return isRich ? BoxWriter.u32(1024, size, 0x200_0000, 0) : BoxWriter.u32(size)
    }
    let flags: UInt32 = (isRich ? 0xF04 : 0x200) | (offset == nil ? 0 : 1)
    let place = offset.map { BoxWriter.u32(UInt32(bitPattern: Int32($0))) } ?? []
    return BoxWriter.full(
      "trun", flags: flags, BoxWriter.u32(UInt32(units.count)), place, isRich ? BoxWriter.u32(0) : [], fields)
  }

  /// Returns a `moof`. `trafs` receives the offset of the first byte after the `moof`.
  public static func moof(size: BoxWriter.Size = .short, _ trafs: (Int) -> [UInt8]) -> [UInt8] {
    let head = BoxWriter.full("mfhd", BoxWriter.u32(1))
    let byteCount = BoxWriter.make("moof", head, trafs(0), size: size).count
    return BoxWriter.make("moof", head, trafs(byteCount), size: size)
  }

  /// Returns a `moof` with one run, and its `mdat`.
  public func fragment(_ units: [[UInt8]], time: UInt64 = 0) -> [UInt8] {
    Self.moof { traf(time: time, [Self.run(units, offset: $0 + 8)]) } + BoxWriter.make("mdat", units.flatMap { $0 })
  }
}

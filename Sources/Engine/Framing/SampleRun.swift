/// A run of samples that lie behind one another (`trun`, ISO 14496-12, 8.8.8).
struct SampleRun {
  /// Where its data begins, counted from the base of its `traf`; nil where it begins behind the run before.
  let dataOffset: Int32?
  /// Its samples; as many as the box has fields for.
  let sampleCount: UInt32

  /// Bytes of each sample, where the run does not say.
  private let byteCount: UInt32
  /// The first sample's fields.
  private let fields: Int
  /// Bytes of a sample's fields.
  private let stride: Int
  /// Where the sample's size stands among its fields; nil where it has none.
  private let sizeOffset: Int?

  private enum Flag {
    static let dataOffset: UInt32 = 0x1
    static let firstSampleFlags: UInt32 = 0x4
    static let duration: UInt32 = 0x100
    static let byteCount: UInt32 = 0x200
    static let perSample: UInt32 = 0xF00
  }

  /// The run with that content; nil where it is damaged.
  init?(_ bytes: Span<UInt8>, in trun: Range<Int>, byteCount: UInt32) {
    guard let flags = bytes.word32(at: trun.lowerBound, in: trun),
      let count = bytes.word32(at: trun.lowerBound + 4, in: trun)
    else { return nil }
    var place = trun.lowerBound + 8
    if flags & Flag.dataOffset != 0 {
      guard let offset = bytes.word32(at: place, in: trun) else { return nil }
      dataOffset = Int32(bitPattern: offset)
      place += 4
    } else {
      dataOffset = nil
    }
    if flags & Flag.firstSampleFlags != 0 { place += 4 }
    self.byteCount = byteCount
    fields = place
    stride = (flags & Flag.perSample).nonzeroBitCount * 4
    sizeOffset = flags & Flag.byteCount == 0 ? nil : flags & Flag.duration == 0 ? 0 : 4
    sampleCount = stride == 0 ? count : min(count, UInt32(max(0, trun.upperBound - place) / stride))
  }

  /// The bytes of each sample where all have the same; else nil.
  var uniformByteCount: UInt32? { sizeOffset == nil ? byteCount : nil }

  /// The bytes of a sample, 0 ..< `sampleCount`, of the run read from `bytes`.
  func byteCount(ofSample index: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    guard let sizeOffset else { return byteCount }
    return bytes.word32(at: fields + Int(index) * stride + sizeOffset, in: bytes.indices) ?? 0
  }
}

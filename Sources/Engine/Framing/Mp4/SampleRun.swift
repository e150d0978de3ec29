/// A run of consecutive samples (`trun`, ISO 14496-12, 8.8.8).
struct SampleRun {
  /// Offset of the data from the base of its `traf`; nil if the data follows the previous run.
  let dataOffset: Int32?
  let sampleCount: UInt32

  private let byteCount: UInt32
  private let fields: Int
  private let stride: Int
  /// Offset of the size in a sample's fields; nil if absent.
  private let sizeOffset: Int?

  private enum Flag {
    static let dataOffset: UInt32 = 0x1
    static let firstSampleFlags: UInt32 = 0x4
    static let duration: UInt32 = 0x100
    static let byteCount: UInt32 = 0x200
    static let perSample: UInt32 = 0xF00
  }

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

  var uniformByteCount: UInt32? { sizeOffset == nil ? byteCount : nil }

  /// Returns the size of a sample in bytes. `bytes`: the buffer passed to `init`.
  func byteCount(ofSample index: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    guard let sizeOffset else { return byteCount }
    return bytes.word32(at: fields + Int(index) * stride + sizeOffset, in: bytes.indices) ?? 0
  }
}

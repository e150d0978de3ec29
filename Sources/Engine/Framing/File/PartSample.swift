import Blocks
import Units

/// The sound in a few bytes from inside an MP3 file. A value.
public struct PartSample: Sendable {
  /// Consecutive packets of one bit rate and duration.
  struct Run: Equatable, Sendable {
    var bytes: Range<Int>
    /// Nil for free format.
    let bitRate: BitRate?
    let packetTime: StreamTime
    var packetCount = 1
    var isPadded: Bool
    /// The part that starts with this run, from its Xing or VBRI header.
    var part: SoundPart?

    var rate: PacketRate? {
      bitRate.map {
        PacketRate($0, packetTime, byteCount: bytes.count, packetCount: packetCount, isPadded: isPadded)
      }
    }

    func isLike(_ other: Run) -> Bool { bitRate == other.bitRate && packetTime == other.packetTime }
  }

  /// The first runs, in order; the bytes between two runs have no sound.
  private(set) var runs: [Run] = []
  /// Position after a tag that continues after the bytes; nil if the bytes end otherwise.
  private(set) var tagEnd: Int?
  /// Length of the tags at the end of the file, if the bytes reach the end.
  let trailingByteCount: Int
  /// Sums of all packets, including packets after the first runs.
  private(set) var packetByteCount = 0
  private(set) var duration = StreamTime.zero
  private let bytes: Range<Int>
  /// The header before the next packet, and its position.
  private var header: (figures: SeekFigures, byte: Int)?

  /// Maximum number of runs of a sample: a part with more has no constant bit rate.
  static let maxRuns = 8

  /// Reads `bytes` at position `byte` of a file of `total` bytes.
  public init(_ bytes: Span<UInt8>, at byte: Int, total: Int) {
    self.bytes = byte..<byte.clampedSum(bytes.count)
    trailingByteCount = self.bytes.upperBound >= total ? TrailingTags.byteCount(in: bytes) : 0
    let offset = Self.tagByteCount(bytes)
    guard offset < bytes.count else {
      tagEnd = byte.clampedSum(offset)
      return
    }
    var framer = PacketFramer()
    framer.reset(followsGap: true, at: byte + offset)
    framer.limit(to: total)
    var place = offset
    while place < bytes.count {
      place += framer.append(bytes.extracting(place...))
      while framer.next({ record($0, $1, total: total) }) == .packet {}
    }
    framer.finish()
    while framer.next({ record($0, $1, total: total) }) == .packet {}
    if framer.absentByteCount > 0 { tagEnd = self.bytes.upperBound.clampedSum(framer.absentByteCount) }
  }

  /// Returns the length of the tags that start with `bytes`; it may exceed their count.
  private static func tagByteCount(_ bytes: Span<UInt8>) -> Int {
    var offset = 0
    for _ in 0..<8 {
      guard offset < bytes.count, case .found(let tag) = MetadataTag.search(bytes, at: offset) else { break }
      offset += tag.byteCount
    }
    return offset
  }

  private mutating func record(_ info: PacketInfo, _ packet: Span<UInt8>, total: Int) {
    if let figures = SeekFigures(packet) {
      header = (figures, info.byteOffset)
      return
    }
    packetByteCount += info.byteCount
    duration += info.duration
    let end = info.byteOffset + info.byteCount
    let mpeg = MpegHeader(packet)
    var run = Run(
      bytes: info.byteOffset..<end, bitRate: mpeg?.bitRate, packetTime: info.duration, isPadded: mpeg?.isPadded == true)
    if let header {
      run.part = SoundPart(
        header.figures, at: header.byte, audio: info.byteOffset, packetTime: info.duration, end: total)
    }
    if let last = runs.last, header == nil, last.isLike(run), last.bytes.upperBound == info.byteOffset {
      runs[runs.count - 1].bytes = last.bytes.lowerBound..<end
      runs[runs.count - 1].packetCount += 1
      if run.isPadded { runs[runs.count - 1].isPadded = true }
    } else if runs.count < Self.maxRuns {
      runs.append(run)
    }
    header = nil
  }

  /// True if the bit rate varies: a short run at either end of the sample may belong to a neighbour.
  var isVaried: Bool {
    runs.contains { $0.bitRate == nil } || runs.count > 3 || runs.count { $0.packetCount < 3 && $0.part == nil } > 1
  }

  /// True if the bytes have at least one whole packet.
  public var hasSound: Bool { !runs.isEmpty }

  /// Parts of the bytes without sound: between the runs, before a tag's end, or all bytes.
  var gaps: [Range<Int>] {
    var gaps: [Range<Int>] = []
    for (run, next) in zip(runs, runs.dropFirst()) where run.bytes.upperBound < next.bytes.lowerBound {
      gaps.append(run.bytes.upperBound..<next.bytes.lowerBound)
    }
    let last = runs.last?.bytes.upperBound ?? bytes.lowerBound
    if let tagEnd, tagEnd > last { gaps.append(last..<tagEnd) } else if runs.isEmpty { gaps.append(bytes) }
    return gaps
  }
}

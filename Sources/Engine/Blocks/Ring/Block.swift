import Synchronization
import Units

/// The header of a block; the payload of complete packets follows in memory.
///
/// A packet longer than a payload fills a run of blocks with consecutive numbers. The first block contains the packet's
/// record, and the later blocks only bytes. In the later blocks, `start` is the packet's end time. A search by time
/// then finds the first block or the next packet.
///
/// Only the writer changes a header. Each field except `used` is final before the block is published.
struct Block: ~Copyable {
  /// Payload bytes visible to readers; a packet becomes visible as a whole.
  let used = Atomic<Int>(0)
  var sequence: Int = 0
  var epoch: UInt32 = 0
  /// Payload offset of the first visible packet; earlier packets were skipped at publication.
  var firstOffset: UInt32 = 0
  var start = StreamTime.zero
  /// Offset in the station's bytes of the first stored packet, which may be a skipped one. Records store offsets
  /// relative to it.
  var byteOffset: Int = 0
  /// Number of blocks in the run; 1 if the block contains complete packets.
  var runCount: UInt32 = 1
  var runIndex: UInt32 = 0
  /// Pool index of the run's next block; undefined in the last.
  var next: UInt32 = 0
  private var padding = InlineArray<3, UInt32>(repeating: 0)

  static let byteCount = 5_120
  static let headerByteCount = 64
  static let payloadByteCount = byteCount - headerByteCount

  /// Bytes of a long packet in the first block of its run. Each other block has room for a full payload.
  static let firstPieceByteCount = payloadByteCount - MemoryLayout<PacketRecord>.stride

  static func runCount(_ byteCount: Int) -> Int {
    let rest = max(0, byteCount - firstPieceByteCount)
    return 1 + (rest + payloadByteCount - 1) / payloadByteCount
  }

  /// True if the header has its planned size; a larger one would overlap the payload. `BlockPool` traps otherwise.
  static var isLaidOutAsPlanned: Bool { MemoryLayout<Block>.size == headerByteCount }
}

extension PacketInfo {
  /// Duration stored in the ring: at most 6.08 s, the maximum of a record.
  var heldDuration: StreamTime { min(duration, StreamTime(ticks: Int64(UInt32.max))) }
}

/// The 24-byte record that precedes a packet's bytes.
struct PacketRecord: BitwiseCopyable {
  private var byteCount: UInt32
  private var codec: Codec
  private var flags: Flags
  private var channels: UInt8
  private var setup: UInt8
  private var mutedHead: UInt16
  private var mutedTail: UInt16
  private var sampleRate: SampleRate
  private var ticks: UInt32
  private var byteOffset: UInt32

  private struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let profile = Flags(rawValue: 3)
    static let gap = Flags(rawValue: 1 << 2)
    static let freeFormat = Flags(rawValue: 1 << 3)
    static let file = Flags(rawValue: 1 << 4)
    static let trimmed = Flags(rawValue: 1 << 5)
    static let join = Flags(rawValue: 1 << 6)
  }

  init(_ info: PacketInfo, blockOffset: Int) {
    byteCount = UInt32(info.byteCount)
    codec = info.format.codec
    flags = Flags(rawValue: info.format.profile & 3)
    channels = info.format.channels
    setup = info.format.setup
    mutedHead = UInt16(clamping: info.mutedHead)
    mutedTail = UInt16(clamping: info.mutedTail)
    sampleRate = info.format.sampleRate
    ticks = UInt32(info.heldDuration.ticks)
    byteOffset = UInt32(clamping: info.byteOffset - blockOffset)
    if info.isFreeFormat { flags.insert(.freeFormat) }
    if info.beginsFile { flags.insert(.file) }
    if info.isTrimmed { flags.insert(.trimmed) }
    if info.joins { flags.insert(.join) }
    setFollowsGap(info.followsGap)
  }

  func info(blockOffset: Int) -> PacketInfo {
    let format = PacketFormat(
      codec: codec, sampleRate: sampleRate, channels: channels, profile: flags.intersection(.profile).rawValue,
      setup: setup)
    var info = PacketInfo(
      format: format, byteCount: Int(byteCount), duration: duration, byteOffset: blockOffset + Int(byteOffset),
      followsGap: flags.contains(.gap), isFreeFormat: flags.contains(.freeFormat))
    (info.beginsFile, info.isTrimmed) = (flags.contains(.file), flags.contains(.trimmed))
    info.joins = flags.contains(.join)
    (info.mutedHead, info.mutedTail) = (Int(mutedHead), Int(mutedTail))
    return info
  }

  var cost: Int { Self.cost(Int(byteCount)) }

  var duration: StreamTime { StreamTime(ticks: Int64(ticks)) }

  var packetByteCount: Int { Int(byteCount) }

  mutating func setFollowsGap(_ followsGap: Bool) {
    if followsGap { flags.insert(.gap) } else { flags.remove(.gap) }
  }

  mutating func setJoins() { flags.insert(.join) }

  /// Returns the distance in bytes to the next record, a multiple of four.
  static func cost(_ byteCount: Int) -> Int { MemoryLayout<PacketRecord>.stride + (byteCount + 3) & ~3 }
}

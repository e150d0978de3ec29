import Synchronization
import Units

/// The header of one block; its payload of whole packets follows in memory.
///
/// Written by the thread that fills the ring; everything but `used` is settled before the block is published.
struct Block: ~Copyable {
  /// Payload bytes that readers may read: a packet is visible only when it is whole.
  let used = Atomic<Int>(0)
  /// Its number in the ring, from 0 up.
  var sequence: Int = 0
  /// Which programme it belongs to: tuning begins a new one.
  var epoch: UInt32 = 0
  /// Where its first packet lies in the payload; those before it were left out when it was published.
  var firstOffset: UInt32 = 0
  /// The stream time of its first packet.
  var start = StreamTime.zero
  /// Where its first packet began in the station's bytes.
  var byteOffset: Int = 0
  private var padding = InlineArray<3, Int>(repeating: 0)

  /// A block in all: header and payload.
  static let byteCount = 5_120
  static let headerByteCount = 64
  /// What a block holds: packets, each with its record.
  static let payloadByteCount = byteCount - headerByteCount

  /// Held by a test, since a header that grew would silently eat into the payload.
  static var isLaidOutAsPlanned: Bool { MemoryLayout<Block>.size == headerByteCount }
}

/// What stands before a packet's bytes in a block, 20 bytes of it.
struct PacketRecord: BitwiseCopyable {
  private var byteCount: UInt16
  /// The codec in three bits, the profile in two, then flags.
  private var kind: UInt8
  private var channels: UInt8
  private var mutedHead: UInt16
  private var mutedTail: UInt16
  private var sampleRate: SampleRate
  private var ticks: UInt32
  private var byteOffset: UInt32

  private static let gapFlag: UInt8 = 1 << 5
  private static let freeFormatFlag: UInt8 = 1 << 6
  private static let fileFlag: UInt8 = 1 << 7

  init(_ info: PacketInfo, blockOffset: Int) {
    byteCount = UInt16(info.byteCount)
    kind = info.format.codec.rawValue & 7 | (info.format.profile & 3) << 3
    channels = info.format.channels
    mutedHead = UInt16(clamping: info.mutedHead)
    mutedTail = UInt16(clamping: info.mutedTail)
    sampleRate = info.format.sampleRate
    ticks = UInt32(clamping: info.duration.ticks)
    byteOffset = UInt32(clamping: info.byteOffset - blockOffset)
    if info.isFreeFormat { kind |= Self.freeFormatFlag }
    if info.beginsFile { kind |= Self.fileFlag }
    setFollowsGap(info.followsGap)
  }

  func info(blockOffset: Int) -> PacketInfo {
    let format = PacketFormat(
      codec: Codec(rawValue: kind & 7) ?? .mpegLayer3, sampleRate: sampleRate, channels: channels,
      profile: kind >> 3 & 3)
    var info = PacketInfo(
      format: format, byteCount: Int(byteCount), duration: duration, byteOffset: blockOffset + Int(byteOffset),
      followsGap: kind & Self.gapFlag != 0, isFreeFormat: kind & Self.freeFormatFlag != 0)
    info.beginsFile = kind & Self.fileFlag != 0
    (info.mutedHead, info.mutedTail) = (Int(mutedHead), Int(mutedTail))
    return info
  }

  /// Where the next record begins, behind this one's.
  var cost: Int { Self.cost(Int(byteCount)) }

  var duration: StreamTime { StreamTime(ticks: Int64(ticks)) }

  var packetByteCount: Int { Int(byteCount) }

  mutating func setFollowsGap(_ followsGap: Bool) {
    kind = followsGap ? kind | Self.gapFlag : kind & ~Self.gapFlag
  }

  /// A record and `byteCount` bytes, to the next multiple of four.
  static func cost(_ byteCount: Int) -> Int { MemoryLayout<PacketRecord>.stride + (byteCount + 3) & ~3 }
}

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
  private var codec: Codec
  private var channels: UInt8
  private var profile: UInt8
  private var followsGap: Bool
  private var isFreeFormat: Bool
  private var sampleRate: SampleRate
  private var ticks: UInt32
  private var byteOffset: UInt32

  init(_ info: PacketInfo, blockOffset: Int) {
    byteCount = UInt16(info.byteCount)
    codec = info.format.codec
    channels = info.format.channels
    profile = info.format.profile
    followsGap = info.followsGap
    isFreeFormat = info.isFreeFormat
    sampleRate = info.format.sampleRate
    ticks = UInt32(clamping: info.duration.ticks)
    byteOffset = UInt32(clamping: info.byteOffset - blockOffset)
  }

  func info(blockOffset: Int) -> PacketInfo {
    PacketInfo(
      format: PacketFormat(codec: codec, sampleRate: sampleRate, channels: channels, profile: profile),
      byteCount: Int(byteCount), duration: StreamTime(ticks: Int64(ticks)),
      byteOffset: blockOffset + Int(byteOffset), followsGap: followsGap, isFreeFormat: isFreeFormat)
  }

  /// Where the next record begins, behind this one's.
  var cost: Int { Self.cost(Int(byteCount)) }

  var duration: StreamTime { StreamTime(ticks: Int64(ticks)) }

  var packetByteCount: Int { Int(byteCount) }

  mutating func setFollowsGap(_ followsGap: Bool) { self.followsGap = followsGap }

  /// A record and `byteCount` bytes, to the next multiple of four.
  static func cost(_ byteCount: Int) -> Int { MemoryLayout<PacketRecord>.stride + (byteCount + 3) & ~3 }
}

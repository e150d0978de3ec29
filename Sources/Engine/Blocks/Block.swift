import Synchronization
import Units

/// The header of one block; its payload of whole packets follows in memory.
///
/// A packet that is longer than a payload has a run of blocks to itself: its record stands in the first one, and the
/// others hold nothing but its bytes. They have numbers that follow each other, and begin where the packet ends, so
/// that whoever looks for a time finds the first one or what comes behind the run.
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
  /// How many blocks its packet takes; 1 where it holds whole packets.
  var runCount: UInt32 = 1
  /// Its place among those, from 0 up.
  var runIndex: UInt32 = 0
  /// The next of those in the pool, where there is one.
  var next: UInt32 = 0
  private var padding = InlineArray<3, UInt32>(repeating: 0)

  /// A block in all: header and payload.
  static let byteCount = 5_120
  static let headerByteCount = 64
  /// What a block holds: packets, each with its record.
  static let payloadByteCount = byteCount - headerByteCount

  /// What of a packet longer than a block lies in the first block of its run; in each other one lies a whole payload.
  static let firstPieceByteCount = payloadByteCount - MemoryLayout<PacketRecord>.stride

  /// How many blocks a packet of so many bytes takes: one that it may share with others, or a run of its own.
  static func runCount(_ byteCount: Int) -> Int {
    let rest = max(0, byteCount - firstPieceByteCount)
    return 1 + (rest + payloadByteCount - 1) / payloadByteCount
  }

  /// Held by a test, since a header that grew would silently eat into the payload.
  static var isLaidOutAsPlanned: Bool { MemoryLayout<Block>.size == headerByteCount }
}

extension PacketInfo {
  /// How long it sounds in the ring, whose records count to 6.08 s: no longer one does any good there.
  var heldDuration: StreamTime { min(duration, StreamTime(ticks: Int64(UInt32.max))) }
}

/// What stands before a packet's bytes in a block, 24 bytes of it.
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
    /// Two bits of the profile.
    static let profile = Flags(rawValue: 3)
    static let gap = Flags(rawValue: 1 << 2)
    static let freeFormat = Flags(rawValue: 1 << 3)
    static let file = Flags(rawValue: 1 << 4)
    static let trimmed = Flags(rawValue: 1 << 5)
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
    (info.mutedHead, info.mutedTail) = (Int(mutedHead), Int(mutedTail))
    return info
  }

  /// Where the next record begins, behind this one's.
  var cost: Int { Self.cost(Int(byteCount)) }

  var duration: StreamTime { StreamTime(ticks: Int64(ticks)) }

  var packetByteCount: Int { Int(byteCount) }

  mutating func setFollowsGap(_ followsGap: Bool) {
    if followsGap { flags.insert(.gap) } else { flags.remove(.gap) }
  }

  /// A record and `byteCount` bytes, to the next multiple of four.
  static func cost(_ byteCount: Int) -> Int { MemoryLayout<PacketRecord>.stride + (byteCount + 3) & ~3 }
}

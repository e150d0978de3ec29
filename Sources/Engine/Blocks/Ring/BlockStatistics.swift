import Units

/// The fill level of the ring (R2.7).
public struct BlockStatistics: Sendable, Equatable {
  /// Number of blocks in the pool.
  public let blockCount: Int
  /// Number of blocks that are not free.
  public let usedCount: Int
  /// Number of published blocks that are not dropped.
  public let heldCount: Int
  /// Slot of the block that the decoder reads, 0 ..< `blockCount`.
  public let playing: Int
  /// The duration not yet decoded.
  public let ahead: StreamTime
  /// Programme time of the first packet; zero unless set by `BlockWriter.start(at:)`.
  public let start: StreamTime
  /// Programme time of the oldest packet, which limits a rewind.
  public let oldest: StreamTime
  /// Programme time at the start of the newest block or run. All earlier blocks are complete.
  let newestBlock: StreamTime
  /// Programme time of the newest packet's end.
  public let written: StreamTime
  /// True if the ring dropped packets that were not decoded.
  public let hasOverwritten: Bool
  /// Packet bytes of the programme so far.
  public let byteCount: ByteCount

  /// The measured bit rate; nil before the first packet.
  public var bitRate: BitRate? { BitRate(byteCount, over: written - start) }

  /// Expected duration of the audio in a full ring, without the blocks reserved for a read; nil before the first full
  /// block.
  ///
  /// Computed from the duration of the full blocks, because records and unused ends occupy part of each block.
  public var capacity: StreamTime? {
    let (full, sound) = (heldCount - 1, newestBlock - oldest)
    guard full > 0, sound > .zero else { return nil }
    return StreamTime(seconds: sound.seconds / Double(full) * Double(max(1, blockCount - BlockWriter.readRoom)))
  }

  /// The statistics of a ring without blocks.
  public static var empty: BlockStatistics {
    BlockStatistics(
      blockCount: 0, usedCount: 0, heldCount: 0, playing: 0, ahead: .zero, start: .zero, oldest: .zero,
      newestBlock: .zero, written: .zero, hasOverwritten: false, byteCount: ByteCount(0))
  }
}

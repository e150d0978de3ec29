import Units

/// The fill level of the ring (R2.7).
public struct BlockStatistics: Sendable, Equatable {
  /// Total blocks.
  public let blockCount: Int
  /// Blocks in use.
  public let usedCount: Int
  /// Blocks in the ring.
  public let heldCount: Int
  /// The block that is being played, 0 ..< `blockCount`.
  public let playing: Int
  /// The duration not yet decoded.
  public let ahead: StreamTime
  /// The programme time of the first packet; zero unless a file started in its middle.
  public let start: StreamTime
  /// The programme time of the oldest packet, which limits a rewind.
  public let oldest: StreamTime
  /// The programme time of the newest block; all earlier blocks are full.
  let newestBlock: StreamTime
  /// The programme time of the newest packet's end.
  public let written: StreamTime
  /// Packet bytes of the programme so far.
  public let byteCount: ByteCount

  /// The measured bit rate; nil before the first packet.
  public var bitRate: BitRate? { BitRate(byteCount, over: written - start) }

  /// The expected duration of a full ring; nil before the first full block.
  ///
  /// Measured from full blocks, because records and unused ends take part of each block.
  public var capacity: StreamTime? {
    let (full, sound) = (heldCount - 1, newestBlock - oldest)
    guard full > 0, sound > .zero else { return nil }
    return StreamTime(seconds: sound.seconds / Double(full) * Double(max(1, blockCount - BlockWriter.readRoom)))
  }

  /// The statistics of a ring without blocks.
  public static var empty: BlockStatistics {
    BlockStatistics(
      blockCount: 0, usedCount: 0, heldCount: 0, playing: 0, ahead: .zero, start: .zero, oldest: .zero,
      newestBlock: .zero, written: .zero, byteCount: ByteCount(0))
  }
}

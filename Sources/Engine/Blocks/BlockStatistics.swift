import Units

/// How full the ring is (R2.7).
public struct BlockStatistics: Sendable, Equatable {
  /// Blocks in all.
  public let blockCount: Int
  /// Blocks in use.
  public let usedCount: Int
  /// Blocks in the ring.
  public let heldCount: Int
  /// Which block is being played, 0 ..< `blockCount`.
  public let playing: Int
  /// What is held but not yet decoded.
  public let ahead: StreamTime
  /// Where in the programme the first packet written began: zero but where a file was begun in its midst.
  public let start: StreamTime
  /// Where in the programme the oldest packet held begins: a rewind ends there.
  public let oldest: StreamTime
  /// Where in the programme the newest block begins: all before it are full.
  let newestBlock: StreamTime
  /// How long the programme is so far: the stream time behind the newest packet.
  public let written: StreamTime
  /// How many bytes of packets were written of the programme so far.
  public let byteCount: ByteCount

  /// The programme's bit rate as measured; nil before its first packet.
  public var bitRate: BitRate? { BitRate(byteCount, over: written - start) }

  /// How much of the programme is held when the ring wraps, if what comes is like what is held; nil before a block is
  /// full.
  ///
  /// A block holds whole packets, each with its record, so that some of it stays empty: what full blocks hold is
  /// measured, not worked out of the bit rate.
  public var capacity: StreamTime? {
    let (full, sound) = (heldCount - 1, newestBlock - oldest)
    guard full > 0, sound > .zero else { return nil }
    return StreamTime(seconds: sound.seconds / Double(full) * Double(max(1, blockCount - BlockWriter.readRoom)))
  }

  /// The figures of a ring without blocks.
  public static var empty: BlockStatistics {
    BlockStatistics(
      blockCount: 0, usedCount: 0, heldCount: 0, playing: 0, ahead: .zero, start: .zero, oldest: .zero,
      newestBlock: .zero, written: .zero, byteCount: ByteCount(0))
  }
}

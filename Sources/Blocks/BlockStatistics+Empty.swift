import Units

extension BlockStatistics {
  /// The figures of a ring without blocks.
  public static var empty: BlockStatistics {
    BlockStatistics(
      blockCount: 0, usedCount: 0, heldCount: 0, playing: 0, ahead: .zero, start: .zero, oldest: .zero,
      newestBlock: .zero, written: .zero, byteCount: ByteCount(0))
  }
}

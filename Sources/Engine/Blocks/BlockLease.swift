/// The right to one block of a pool; its end gives the block back.
struct BlockLease: ~Copyable {
  let index: UInt32
  private let pool: UnsafePointer<BlockPool>

  /// Takes a free block; nil when all are in use.
  init?(from pool: UnsafePointer<BlockPool>) {
    guard let index = pool.pointee.take() else { return nil }
    self.init(reclaiming: index, from: pool)
  }

  /// The right to a block that was put away with `putAway`.
  init(reclaiming index: UInt32, from pool: UnsafePointer<BlockPool>) {
    self.index = index
    self.pool = pool
  }

  deinit { pool.pointee.give(index) }

  /// Gives up the right without giving the block back: who keeps the index reclaims it later.
  consuming func putAway() -> UInt32 {
    let index = index
    discard self
    return index
  }
}

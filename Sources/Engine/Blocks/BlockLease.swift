/// Ownership of one block of a pool; its end frees the block.
struct BlockLease: ~Copyable {
  let index: UInt32
  private let pool: UnsafePointer<BlockPool>

  /// Allocates a block; nil if none is free.
  init?(from pool: UnsafePointer<BlockPool>) {
    guard let index = pool.pointee.take() else { return nil }
    self.init(reclaiming: index, from: pool)
  }

  /// Restores the ownership given up by `putAway`.
  init(reclaiming index: UInt32, from pool: UnsafePointer<BlockPool>) {
    self.index = index
    self.pool = pool
  }

  deinit { pool.pointee.give(index) }

  /// Gives up ownership without freeing the block; the caller keeps its index.
  consuming func putAway() -> UInt32 {
    let index = index
    discard self
    return index
  }
}

/// The ownership of one block; its deinitialization returns the block to the pool.
struct BlockLease: ~Copyable {
  let index: UInt32
  private let pool: UnsafePointer<BlockPool>

  init?(from pool: UnsafePointer<BlockPool>) {
    guard let index = pool.pointee.allocate() else { return nil }
    self.init(reclaiming: index, from: pool)
  }

  /// Restores the ownership ended by `putAway`.
  init(reclaiming index: UInt32, from pool: UnsafePointer<BlockPool>) {
    self.index = index
    self.pool = pool
  }

  deinit { pool.pointee.free(index) }

  /// Ends the ownership without freeing the block. The caller must store the index.
  consuming func putAway() -> UInt32 {
    let index = index
    discard self
    return index
  }
}

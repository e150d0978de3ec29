// with: Sources/Engine/Blocks/Ring/BlockLease.swift
// expect: non-Copyable

struct BlockPool {
  func allocate() -> UInt32? { 0 }
  func free(_ index: UInt32) {}
}

struct Held {
  let lease: BlockLease
}

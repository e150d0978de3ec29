// with: Sources/Engine/Blocks/BlockLease.swift
// expect: non-Copyable

struct BlockPool {
  func take() -> UInt32? { 0 }
  func give(_ index: UInt32) {}
}

struct Held {
  let lease: BlockLease
}

// with: Sources/Engine/Blocks/Ring/BlockLease.swift
// expect: consumed more than once

struct BlockPool {
  func allocate() -> UInt32? { 0 }
  func free(_ index: UInt32) {}
}

func keepTwice(_ lease: consuming BlockLease) -> (UInt32, UInt32) {
  let first = lease.putAway()
  return (first, lease.putAway())
}

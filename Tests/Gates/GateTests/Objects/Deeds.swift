// Each entry performs its action two calls deep. ObjectCodeTests must find it.

import Glibc

final class Programme: @unchecked Sendable {
  static let first = Programme(Int(getpid()))
  var next: Programme?
  var count: Int

  init(_ count: Int) { self.count = count }
}

@_cdecl("entryClean") @_noLocks @_noAllocation
func entryClean(_ samples: UnsafeMutablePointer<Int32>, _ count: Int) -> Int32 { measure(samples, count) &+ 1 }

@inline(never) @_noLocks @_noAllocation
func measure(_ samples: UnsafeMutablePointer<Int32>, _ count: Int) -> Int32 { sum(samples, count) &+ 1 }

@inline(never)
func sum(_ samples: UnsafeMutablePointer<Int32>, _ count: Int) -> Int32 {
  var sum: Int32 = 0
  for index in 0..<count { sum = sum &* 31 &+ samples[index] }
  return sum
}

@_cdecl("entryRetain")
func entryRetain(_ programme: UnsafeRawPointer) -> UnsafeMutableRawPointer? { follow(programme) }

@inline(never)
func follow(_ programme: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<Programme>.fromOpaque(programme)._withUnsafeGuaranteedRef { keepNext($0) }
}

@inline(never)
func keepNext(_ programme: Programme) -> UnsafeMutableRawPointer? {
  programme.next.map { Unmanaged.passRetained($0).toOpaque() }
}

@_cdecl("entryRelease")
func entryRelease(_ programme: UnsafeRawPointer) { forget(programme) }

@inline(never)
func forget(_ programme: UnsafeRawPointer) { drop(Unmanaged<Programme>.fromOpaque(programme)) }

@inline(never)
func drop(_ programme: Unmanaged<Programme>) { programme.release() }

@_cdecl("entryObject")
func entryObject() -> UnsafeMutableRawPointer { make(1) }

@inline(never)
func make(_ count: Int) -> UnsafeMutableRawPointer { Unmanaged.passRetained(fresh(count)).toOpaque() }

@inline(never)
func fresh(_ count: Int) -> Programme { Programme(count) }

@_cdecl("entryOnce")
func entryOnce() -> Int { first() }

@inline(never)
func first() -> Int { firstCount() &+ 1 }

@inline(never)
func firstCount() -> Int { Programme.first.count }

@_cdecl("entryAccess")
func entryAccess(_ programme: UnsafeRawPointer) { grow(programme) }

@inline(never)
func grow(_ programme: UnsafeRawPointer) {
  Unmanaged<Programme>.fromOpaque(programme)._withUnsafeGuaranteedRef { growNow($0) }
}

@inline(never)
func growNow(_ programme: Programme) { add(to: &programme.count) }

@inline(never)
func add(to count: inout Int) { count &+= rand() == 0 ? 1 : 2 }

@_cdecl("entryMalloc")
func entryMalloc(_ count: Int) -> UnsafeMutableRawPointer? { room(count) }

@inline(never)
func room(_ count: Int) -> UnsafeMutableRawPointer? { reserve(count &* 8) }

@inline(never)
func reserve(_ byteCount: Int) -> UnsafeMutableRawPointer? { malloc(byteCount) }

@_cdecl("entryFree")
func entryFree(_ bytes: UnsafeMutableRawPointer) { clear(bytes) }

@inline(never)
func clear(_ bytes: UnsafeMutableRawPointer) { giveBack(bytes + 8) }

@inline(never)
func giveBack(_ bytes: UnsafeMutableRawPointer) { free(bytes) }

@_cdecl("entryLock")
func entryLock(_ lock: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { guarded(lock) }

@inline(never)
func guarded(_ lock: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { locked(lock) &+ 1 }

@inline(never)
func locked(_ lock: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { pthread_mutex_lock(lock) }

@_cdecl("entryIndirect")
func entryIndirect(_ body: @convention(c) (Int32) -> Int32) -> Int32 { ask(body) }

@inline(never)
func ask(_ body: @convention(c) (Int32) -> Int32) -> Int32 { answer(body) &+ 1 }

@inline(never)
func answer(_ body: @convention(c) (Int32) -> Int32) -> Int32 { body(1) &+ 1 }

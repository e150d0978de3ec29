// expect: can cause an allocation

@_noLocks @_noAllocation
func period() -> UnsafeMutablePointer<Int32> { UnsafeMutablePointer<Int32>.allocate(capacity: 1_152) }

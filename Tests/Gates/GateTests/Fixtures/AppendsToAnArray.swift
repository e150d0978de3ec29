// expect: reference counting

@_noLocks @_noAllocation
func collect(_ peaks: inout [Int32], _ peak: Int32) { peaks.append(peak) }

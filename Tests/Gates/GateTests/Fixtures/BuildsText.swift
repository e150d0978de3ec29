// expect: reference counting

@_noLocks @_noAllocation
func name(_ epoch: UInt32) -> String { "programme \(epoch)" }

// expect: not available in this module
import Glibc

@_noLocks @_noAllocation
func rest() { usleep(1_000) }

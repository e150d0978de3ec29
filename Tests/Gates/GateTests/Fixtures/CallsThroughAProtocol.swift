// expect: metadata allocation

protocol Tap {
  func take(_ sample: Int32)
}

@_noLocks @_noAllocation
func offer(_ sample: Int32, to tap: any Tap) { tap.take(sample) }

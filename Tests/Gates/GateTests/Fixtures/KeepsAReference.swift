// expect: reference counting

final class Programme {
  var next: Programme?
}

@_noLocks @_noAllocation
func follow(_ programme: Programme) -> Programme? { programme.next }

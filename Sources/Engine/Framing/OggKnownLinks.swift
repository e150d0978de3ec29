import Blocks

/// Headers of links already read in a file, for seeks: the first and the newest, up to `capacity` and `mostBytes`.
struct OggKnownLinks {
  private static let capacity = 32
  private static let mostBytes = 4 * CodecSetup.mostBytes

  private var entries: [(serial: UInt32, headers: OggHeaders)] = []

  subscript(_ serial: UInt32) -> OggHeaders? { entries.last { $0.serial == serial }?.headers }

  mutating func keep(_ headers: OggHeaders, of serial: UInt32) {
    forget(serial)
    entries.append((serial, headers))
    var byteCount = entries.reduce(0) { $0 + ($1.headers.setup?.byteCount ?? 0) }
    while entries.count > Self.capacity || byteCount > Self.mostBytes && entries.count > 1 {
      // Removed headers can be read again from the start of the file.
      byteCount -= entries.remove(at: min(1, entries.count - 2)).headers.setup?.byteCount ?? 0
    }
  }

  mutating func forget(_ serial: UInt32) { entries.removeAll { $0.serial == serial } }

  mutating func removeAll() { entries = [] }
}

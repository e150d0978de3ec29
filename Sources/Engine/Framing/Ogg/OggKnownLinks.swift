import Blocks

/// Headers of links already read in a file, for seeks: the first and the newest, up to `capacity` and `maxByteCount`.
struct OggKnownLinks {
  private static let capacity = 32
  private static let maxByteCount = 4 * CodecSetup.maxBytes

  private var entries: [(serial: UInt32, headers: OggHeaders)] = []

  subscript(_ serial: UInt32) -> OggHeaders? { entries.last { $0.serial == serial }?.headers }

  mutating func insert(_ headers: OggHeaders, of serial: UInt32) {
    remove(serial)
    entries.append((serial, headers))
    var byteCount = entries.reduce(0) { $0 + ($1.headers.setup?.byteCount ?? 0) }
    while entries.count > Self.capacity || byteCount > Self.maxByteCount && entries.count > 1 {
      // Removed headers can be read again from the start of the file.
      byteCount -= entries.remove(at: min(1, entries.count - 2)).headers.setup?.byteCount ?? 0
    }
  }

  mutating func remove(_ serial: UInt32) { entries.removeAll { $0.serial == serial } }

  mutating func removeAll() { entries = [] }
}

import Blocks

/// The headers of the links of a file that were read, by the serial number of their logical stream: who seeks in the
/// file needs them again. Those of the first link and of the newest few are kept.
struct OggKnownLinks {
  private static let capacity = 32
  private static let mostBytes = 4 * CodecSetup.mostBytes

  private var entries: [(serial: UInt32, headers: OggHeaders)] = []

  /// The headers of a stream; nil where they are not known.
  subscript(_ serial: UInt32) -> OggHeaders? { entries.last { $0.serial == serial }?.headers }

  /// Keeps the headers of a stream.
  mutating func keep(_ headers: OggHeaders, of serial: UInt32) {
    forget(serial)
    entries.append((serial, headers))
    var byteCount = entries.reduce(0) { $0 + ($1.headers.setup?.byteCount ?? 0) }
    while entries.count > Self.capacity || byteCount > Self.mostBytes && entries.count > 1 {
      // From the file's first byte all of it can be read again.
      byteCount -= entries.remove(at: min(1, entries.count - 2)).headers.setup?.byteCount ?? 0
    }
  }

  /// Forgets the headers of a stream, because others come.
  mutating func forget(_ serial: UInt32) { entries.removeAll { $0.serial == serial } }

  /// Forgets all.
  mutating func removeAll() { entries = [] }
}

/// The header of a chunk: a name of four letters and a length.
struct PcmChunk: Equatable {
  /// The letters as a big-endian number.
  let name: UInt32
  let byteCount: Int

  static let headerByteCount = 8

  /// Parses a header, which must be complete.
  init(_ bytes: Span<UInt8>, isBigEndian: Bool) {
    name = UInt32(bytes.big(4, at: 0))
    byteCount = isBigEndian ? bytes.big(4, at: 4) : bytes.little(4, at: 4)
  }

  /// True if the name is printable ASCII, as in all valid chunks.
  var isNamed: Bool { [0, 8, 16, 24].allSatisfy { (0x20...0x7E).contains(UInt8(truncatingIfNeeded: name >> $0)) } }

  /// Length with the padding byte that follows odd lengths.
  var paddedByteCount: Int { byteCount + byteCount & 1 }

  /// Length of the samples in bytes; nil for a placeholder, from which a header may be subtracted. Programs that do
  /// not know the length or cannot count further write placeholders.
  var dataByteCount: Int? {
    byteCount == 0 || byteCount >= 0xFFFF_0000 || (0x7FFF_0000...0x8000_FFFF).contains(byteCount) ? nil : byteCount
  }
}

extension Span<UInt8> {
  /// Reads a little-endian number of 1 … 4 bytes, which must all be present.
  func little(_ byteCount: Int, at place: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }

  /// Reads a big-endian number of 1 … 4 bytes, which must all be present.
  func big(_ byteCount: Int, at place: Int) -> Int {
    (0..<byteCount).reduce(0) { $0 << 8 | Int(self[place + $1]) }
  }
}

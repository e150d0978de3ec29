/// Computes a CRC of up to 32 bits, highest bit first, in steps of eight bytes (slicing by 8). A shorter CRC is in the
/// highest bits.
struct ChecksumTable: Sendable {
  /// Row n contains the CRC of each byte followed by n zeros.
  private let rows: [UInt32]

  private static let rowCount = 8

  /// `polynomial` without its highest term.
  init(polynomial: UInt32) {
    var rows = [UInt32](repeating: 0, count: 256 * Self.rowCount)
    for index in 0..<256 {
      var crc = UInt32(index) << 24
      for row in 0..<Self.rowCount {
        for _ in 0..<8 { crc = crc & 0x8000_0000 != 0 ? crc << 1 ^ polynomial : crc << 1 }
        rows[256 * row + index] = crc
      }
    }
    self.rows = rows
  }

  /// Adds bytes to a CRC.
  func crc(_ start: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    unsafe rows.withUnsafeBufferPointer { rows in
      unsafe bytes.withUnsafeBytes { bytes in
        // Each lookup is at one byte of a row.
        guard let table = rows.baseAddress, let input = bytes.baseAddress else { return start }
        var (crc, place) = (start, 0)
        while bytes.count &- place >= Self.rowCount {
          let word = unsafe UInt64(bigEndian: input.loadUnaligned(fromByteOffset: place, as: UInt64.self))
          crc = unsafe Self.eight(word ^ UInt64(crc) &<< 32, table)
          place &+= Self.rowCount
        }
        while place < bytes.count {
          let byte = unsafe input.load(fromByteOffset: place, as: UInt8.self)
          crc = unsafe crc &<< 8 ^ table[Int(UInt8(truncatingIfNeeded: crc &>> 24) ^ byte)]
          place &+= 1
        }
        return crc
      }
    }
  }

  @inline(__always)
  private static func eight(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt32 {
    let high = unsafe part(word, 7, table) ^ part(word, 6, table) ^ part(word, 5, table) ^ part(word, 4, table)
    let low = unsafe part(word, 3, table) ^ part(word, 2, table) ^ part(word, 1, table) ^ part(word, 0, table)
    return high ^ low
  }

  /// Returns the contribution of one byte, followed by `row` others.
  @inline(__always)
  private static func part(_ word: UInt64, _ row: Int, _ table: UnsafePointer<UInt32>) -> UInt32 {
    unsafe table[row &* 256 &+ Int(truncatingIfNeeded: (word &>> UInt64(8 &* row)) & 0xFF)]
  }
}

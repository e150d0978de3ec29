/// Reads consecutive numbers and texts; returns zeros and empty texts after the end.
struct VarintReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isOver: Bool { place >= bytes.count }

  /// Reads a number with seven bits per byte, lowest first.
  mutating func number() -> UInt32 {
    var (value, shift): (UInt32, UInt32) = (0, 0)
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      value |= UInt32(byte & 0x7F) &<< shift
      guard byte & 0x80 != 0, shift < 28 else { break }
      shift += 7
    }
    return value
  }

  /// Reads a length and that many bytes, or the remaining bytes if fewer.
  mutating func text() -> UnsafeRawBufferPointer {
    let count = Int(number())
    let start = place
    place += min(count, bytes.count - place)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<place])
  }
}

extension [UInt8] {
  mutating func append(varint number: UInt32) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  mutating func append(text: some Collection<UInt8>) {
    append(varint: UInt32(clamping: text.count))
    append(contentsOf: text)
  }

  /// Appends numbers in little endian, each in the width of its type.
  mutating func append<each Number: FixedWidthInteger>(fixed number: repeat each Number) {
    for number in repeat (each number).littleEndian {
      Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes as text; invalid UTF-8 is replaced.
  var text: String { String(decoding: self, as: UTF8.self) }
}

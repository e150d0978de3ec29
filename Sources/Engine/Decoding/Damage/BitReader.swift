/// Reads the bits of a packet from bit `place` on, highest bit first; bits beyond the end are zero.
struct BitReader {
  private let bytes: UnsafePointer<UInt8>
  private let end: Int
  var place: Int

  init(_ bytes: UnsafePointer<UInt8>, byteCount: Int, at place: Int) {
    self.bytes = bytes
    self.place = place
    end = 8 * byteCount
  }

  mutating func read(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      let bit = place < end ? bytes[place >> 3] >> (7 - UInt8(place & 7)) & 1 : 0
      value = value << 1 | Int(bit)
      place += 1
    }
    return value
  }
}

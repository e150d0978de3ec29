/// Two bytes with which a frame header, a stream ("fLaC") or a tag (`MetadataTag`) starts.
enum FlacLandmark {
  private static let step = 16

  /// Returns the first place in `range` where a landmark may start, otherwise the end of `range`. The last of all bytes
  /// counts, because the byte after it is unknown.
  static func first(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a search is among the bytes")
    return unsafe bytes.withUnsafeBytes { bytes in
      var place = range.lowerBound
      while place < range.upperBound {
        let next = min(place &+ step, range.upperBound)
        if next < range.upperBound, unsafe !mayContain(bytes, place) {
          place = next
          continue
        }
        while place < next {
          if unsafe isLandmark(bytes, place) { return place }
          place &+= 1
        }
      }
      return place
    }
  }

  private static func isLandmark(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    guard place + 1 < bytes.count else { return true }
    return switch unsafe (bytes[place], bytes[place + 1]) {
    case (0xFF, 0xF8), (0xFF, 0xF9), (0x66, 0x4C), (0x54, 0x41), (0x41, 0x50), (0x49, 0x44), (0x4C, 0x59): true
    default: false
    }
  }

  /// Returns false if no landmark starts in the 16 bytes at `place`; one more byte follows them. The compiler does not
  /// vectorise the comparison of 16 bytes, thus a zero byte marks a match. One mask fits the capitals of all tags.
  @inline(__always)
  private static func mayContain(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    let one = unsafe bytes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
    let other = unsafe bytes.loadUnaligned(fromByteOffset: place &+ 1, as: SIMD16<UInt8>.self)
    let frame: SIMD16<UInt8> = (one ^ 0xFF) | ((other & 0xFE) ^ 0xF8)
    let stream: SIMD16<UInt8> = (one ^ 0x66) | (other ^ 0x4C)
    let tag: SIMD16<UInt8> = ((one & 0xE2) ^ 0x40) | ((other & 0xE2) ^ 0x40)
    let zeros = zeroMarks(frame) | zeroMarks(stream) | zeroMarks(tag)
    let halves = unsafe unsafeBitCast(zeros, to: SIMD2<UInt64>.self)
    return (halves[0] | halves[1]) & 0x8080_8080_8080_8080 != 0
  }

  /// Sets the highest bit of each zero byte.
  @inline(__always)
  private static func zeroMarks(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
    let lower: SIMD16<UInt8> = bytes &- 1
    return lower & ~bytes
  }
}

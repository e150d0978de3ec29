import SeededRandom
import Testing

@testable import Framing

/// Checksums and searches in steps of several bytes equal those byte by byte.
struct ChecksumTests {
  /// Computes a CRC bit by bit, highest bit first.
  private func bitwise(_ polynomial: UInt32, _ start: UInt32, _ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc = start
    for byte in bytes {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc >> 31 == 1 ? crc << 1 ^ polynomial : crc << 1 }
    }
    return crc
  }

  @Test(arguments: [0x04C1_1DB7, 0x8005_0000] as [UInt32])
  func tableEqualsTheDivision(polynomial: UInt32) {
    var random = SeededGenerator(21)
    let table = ChecksumTable(polynomial: polynomial)
    let bytes = random.bytes(60)
    for start in 0..<9 {
      for end in start...bytes.count {
        let part = bytes[start..<end]
        #expect(table.crc(0xABCD_0000, part.span) == bitwise(polynomial, 0xABCD_0000, part), "\(start)..<\(end)")
      }
    }
  }

  @Test func flacRowsEqualSingleBytes() {
    var random = SeededGenerator(22)
    let bytes = random.bytes(1_003)
    var crc: UInt16 = 0x1234
    for byte in bytes { crc = FlacChecksum.crc16(crc, byte) }
    #expect(FlacChecksum.crc16(0x1234, bytes.span) == crc)
  }

  /// A page of less than eight bytes after its checksum is checked too.
  @Test(arguments: [0, 1, 7, 8, 9, 300])
  func oggPageIsChecked(byteCount: Int) {
    var random = SeededGenerator(23)
    var writer = OggWriter()
    var page = writer.page([random.bytes(byteCount)])
    for place in page.indices {
      #expect(OggPage.search(page.span).isValid(page))
      page[place] ^= 0x10
      #expect(!OggPage.search(page.span).isValid(page), "byte \(place)")
      page[place] ^= 0x10
    }
  }

  private static let pairs: [(UInt8, UInt8)] = [
    (0xFF, 0xF8), (0xFF, 0xF9), (0x66, 0x4C), (0x54, 0x41), (0x41, 0x50), (0x49, 0x44), (0x4C, 0x59),
  ]

  @Test(arguments: pairs.indices)
  func landmarkIsFoundAtEachPlace(index: Int) {
    let (one, other) = Self.pairs[index]
    for count in [2, 15, 16, 17, 18, 33, 70] {
      for place in 0..<count - 1 {
        var bytes = [UInt8](repeating: 0x55, count: count)
        (bytes[place], bytes[place + 1]) = (one, other)
        #expect(FlacLandmark.first(in: bytes.span, 0..<count) == place)
        #expect(FlacLandmark.first(in: bytes.span, place..<count) == place)
        // The last byte may be the start of a landmark.
        #expect(FlacLandmark.first(in: bytes.span, min(place + 1, count - 1)..<count) == count - 1)
        #expect(FlacLandmark.first(in: bytes.span, 0..<place) == place)
      }
    }
  }

  @Test func landmarksAreTheSameAsByteByByte() {
    // Only bytes that are part of a landmark or similar to one.
    let alphabet: [UInt8] = Self.pairs.flatMap { pair in [pair.0, pair.1] } + [0x45, 0x5D, 0x4D, 0xFE, 0xFA, 0x67]
    var random = SeededGenerator(24)
    for _ in 0..<200 {
      let bytes: [UInt8] = random.bytes(100).map { $0 < 60 ? alphabet[Int($0) % alphabet.count] : 0x20 }
      let start = Int(bytes[0]) % 40
      let wanted = (start..<99).first { place in
        Self.pairs.contains { $0 == (bytes[place], bytes[place + 1]) }
      }
      #expect(FlacLandmark.first(in: bytes.span, start..<100) == wanted ?? 99)
    }
  }
}

extension OggPage.Search {
  func isValid(_ bytes: [UInt8]) -> Bool {
    if case .found(let page) = self { page.hasValidChecksum(bytes.span) } else { false }
  }
}

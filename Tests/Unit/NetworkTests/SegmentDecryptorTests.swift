import MediaSupport
import Testing

@testable import Network

/// Segments encrypted with AES-128.
@Suite struct SegmentDecryptorTests {
  private static let key = (0..<16).map { UInt8($0 * 7 + 1) }
  private static let vector = (0..<16).map { UInt8(200 - $0 * 3) }
  private static let plain = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

  private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var fault: SegmentDecryptor.Fault?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Decrypts a segment in pieces that end at `cuts`.
    init(_ cipher: [UInt8], _ cuts: [Int], by decryptor: SegmentDecryptor, vector: [UInt8] = vector) {
      decryptor.begin(vector)
      var place = 0
      for cut in cuts + [cipher.count] {
        decryptor.decrypt(cipher.span.extracting(place..<cut)) { add($0) }
        place = cut
      }
      do throws(SegmentDecryptor.Fault) { try decryptor.finish { add($0) } } catch { fault = error }
    }

    private mutating func add(_ span: Span<UInt8>) { for index in span.indices { bytes.append(span[index]) } }
  }

  private static func made() throws -> SegmentDecryptor { try #require(SegmentDecryptor(key: key)) }

  @Test("The block of NIST SP 800-38A, F.2.1 decrypts")
  func vectorOfNist() throws {
    let key: [UInt8] = [
      0x2B, 0x7E, 0x15, 0x16, 0x28, 0xAE, 0xD2, 0xA6, 0xAB, 0xF7, 0x15, 0x88, 0x09, 0xCF, 0x4F, 0x3C,
    ]
    let cipher: [UInt8] = [
      0x76, 0x49, 0xAB, 0xAC, 0x81, 0x19, 0xB2, 0x46, 0xCE, 0xE9, 0x8E, 0x9B, 0x12, 0xE9, 0x19, 0x7D,
    ]
    let decryptor = try #require(SegmentDecryptor(key: key))
    // A second block makes the first one visible: the first block has no padding.
    let outcome = Outcome(cipher + cipher, [], by: decryptor, vector: (0..<16).map { UInt8($0) })
    let first: [UInt8] = [
      0x6B, 0xC1, 0xBE, 0xE2, 0x2E, 0x40, 0x9F, 0x96, 0xE9, 0x3D, 0x7E, 0x11, 0x73, 0x93, 0x17, 0x2A,
    ]
    #expect(outcome.bytes == first && outcome.fault == .padding)
  }

  @Test("A segment of any length, cut anywhere, decrypts")
  func cuts() throws {
    let decryptor = try Self.made()
    for length in Array(0...49) + [1_023, 1_024] {
      let plain = Array(Self.plain.prefix(length))
      let cipher = Aes.encrypt(plain, key: Self.key, vector: Self.vector)
      for cut in 0...min(cipher.count, 64) {
        let isSame = Outcome(cipher, [cut], by: decryptor) == Outcome(plain)
        #expect(isSame, "\(length) bytes, cut at \(cut)")
      }
      let isSame = Outcome(cipher, Array(0..<cipher.count), by: decryptor) == Outcome(plain)
      #expect(isSame, "\(length) bytes, one by one")
    }
  }

  @Test("Pieces larger than the buffer decrypt", arguments: [0, 1, 15, 16_383, 16_400])
  func large(cut: Int) throws {
    let cipher = Aes.encrypt(Self.plain, key: Self.key, vector: Self.vector)
    let isSame = try Outcome(cipher, [cut], by: Self.made()) == Outcome(Self.plain)
    #expect(isSame)
  }

  @Test("A truncated segment is reported, and gives its whole blocks except the last")
  func lengths() throws {
    let decryptor = try Self.made()
    let cipher = Aes.encrypt(Array(Self.plain.prefix(100)), key: Self.key, vector: Self.vector)
    for length in 0..<cipher.count {
      let outcome = Outcome(Array(cipher.prefix(length)), [], by: decryptor)
      #expect(outcome.fault == (length > 0 && length % 16 == 0 ? .padding : .length), "\(length) bytes")
      let isBegin = Self.plain.starts(with: outcome.bytes)
      #expect(isBegin && outcome.bytes.count <= length, "\(length) bytes")
    }
  }

  @Test("Invalid padding is reported, and never returned")
  func paddings() throws {
    let decryptor = try Self.made()
    let begin = Array(Self.plain.prefix(16))
    for last in 0...UInt8.max where last != 1 {
      // The previous byte differs, so 2 to 16 are invalid padding, too.
      let plain = begin + [UInt8](repeating: 0xEE, count: 15) + [last]
      let cipher = Aes.encrypt(plain, key: Self.key, vector: Self.vector, isPadded: false)
      var outcome = Outcome(begin)
      outcome.fault = .padding
      let isSame = Outcome(cipher, [7], by: decryptor) == outcome
      #expect(isSame, "\(last)")
    }
  }

  @Test("A segment restarted inside, or after a broken one, has none of its bytes")
  func again() throws {
    let decryptor = try Self.made()
    let cipher = Aes.encrypt(Self.plain, key: Self.key, vector: Self.vector)
    for length in [1, 16, 17, 20_000] {
      _ = Outcome(Array(cipher.prefix(length)), [], by: decryptor)
      decryptor.begin(Self.vector)
      decryptor.decrypt(cipher.span.extracting(0..<length)) { _ in }
      let isSame = Outcome(cipher, [5], by: decryptor) == Outcome(Self.plain)
      #expect(isSame)
    }
  }

  @Test("A key has 16 bytes", arguments: [0, 1, 15, 17, 32])
  func keys(count: Int) {
    let isThere = SegmentDecryptor(key: [UInt8](repeating: 1, count: count)) != nil
    #expect(!isThere)
  }
}

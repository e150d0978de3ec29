import Testing
import Units

@testable import Listings

/// Memory use while a playlist arrives.
@Suite("HLS segments in memory")
struct SegmentMemoryTests {
  @Test("The newest segments are stored, up to the limits of count and text")
  func newest() throws {
    var newest = NewestSegments()
    for count in 0..<20_000 {
      newest.append(Self.segment(count), byteCount: 1_000)
      guard count.isMultiple(of: 500) else { continue }
      #expect(Self.backwards(newest) == Self.last(min(count + 1, 1_048), of: count + 1))
    }
    for count in 20_000..<40_000 { newest.append(Self.segment(count), byteCount: 0) }
    #expect(Self.backwards(newest) == Self.last(8_192, of: 40_000) && newest.count == 8_192)
  }

  /// The numbers of all segments, removed from the newest to the oldest.
  private static func backwards(_ segments: NewestSegments) -> [UInt64] {
    var rest = segments
    var numbers: [UInt64] = []
    while let segment = rest.popLast() { numbers.append(segment.sequence) }
    return numbers
  }

  private static func last(_ count: Int, of all: Int) -> [UInt64] { (all - count..<all).reversed().map { UInt64($0) } }

  private static func segment(_ sequence: Int) -> MediaSegment {
    MediaSegment(
      address: "x", sequence: UInt64(sequence), discontinuity: 0, isDiscontinuous: false, duration: .zero, date: nil,
      details: nil)
  }
}

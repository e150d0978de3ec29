import Units

/// Places in a file whose packets have a known, constant rate. A value. Two neighbours of one rate are one part;
/// between neighbours of unlike rates lies a border.
struct RateMarks: Sendable {
  private struct Mark {
    var bytes: Range<Int>
    var rate: PacketRate

    /// True for the same bit rate: the sizes of neighbouring bit rates differ by more than the padding.
    func isLike(_ other: Mark) -> Bool {
      rate.packetTime == other.rate.packetTime && abs(rate.packetBytes - other.rate.packetBytes) < 2
    }
  }

  /// Sorted by position; neighbours have unlike rates.
  private var marks: [Mark] = []
  /// Sorted places without sound, which do not overlap.
  private var gaps: [Range<Int>] = []

  /// Maximum error of a border, after which the search ends, and maximum error of an exact border.
  private static let (maxError, maxExactError) = (0.1, 0.2)
  private static let minProbeByteCount = 2_048

  var isEmpty: Bool { marks.isEmpty }

  /// True if no border was found.
  var isSingle: Bool { marks.count <= 1 }

  mutating func insert(_ bytes: Range<Int>, _ rate: PacketRate) {
    marks.append(Mark(bytes: bytes, rate: rate))
    marks.sort { $0.bytes.lowerBound < $1.bytes.lowerBound }
    var merged: [Mark] = []
    for mark in marks {
      guard let last = merged.last, last.isLike(mark) else {
        merged.append(mark)
        continue
      }
      let end = max(last.bytes.upperBound, mark.bytes.upperBound)
      // Padding shows that the greater size is correct.
      let rate = last.rate.packetBytes >= mark.rate.packetBytes ? last.rate : mark.rate
      merged[merged.count - 1] = Mark(bytes: last.bytes.lowerBound..<end, rate: rate)
    }
    marks = merged
  }

  /// Excludes places without sound.
  mutating func exclude(_ places: [Range<Int>]) {
    gaps = (gaps + places.filter { !$0.isEmpty }).sorted { $0.lowerBound < $1.lowerBound }
    var merged: [Range<Int>] = []
    for gap in gaps {
      if let last = merged.last, gap.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, gap.upperBound)
      } else {
        merged.append(gap)
      }
    }
    gaps = merged
  }

  // MARK: Borders

  /// The places between two marks that may have sound.
  private func unknownPlaces(after index: Int) -> [Range<Int>] {
    let (first, end) = (marks[index].bytes.upperBound, marks[index + 1].bytes.lowerBound)
    return first < end ? soundPlaces(in: first..<end) : []
  }

  private func soundPlaces(in bytes: Range<Int>) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var start = bytes.lowerBound
    for gap in gaps where gap.overlaps(bytes) {
      if start < gap.lowerBound { places.append(start..<gap.lowerBound) }
      start = max(start, gap.upperBound)
    }
    if start < bytes.upperBound { places.append(start..<bytes.upperBound) }
    return places
  }

  /// Maximum error of the border after a mark, in seconds. Next to a place without sound, unknown bytes may have no
  /// sound either.
  private func error(after index: Int) -> Double {
    let (rate, next) = (marks[index].rate.secondsPerByte, marks[index + 1].rate.secondsPerByte)
    let byteCount = unknownPlaces(after: index).reduce(0) { $0 + $1.count }
    return Double(byteCount) * (hasGap(after: index) ? max(rate, next) : abs(rate - next))
  }

  private func hasGap(after index: Int) -> Bool {
    let (first, end) = (marks[index].bytes.upperBound, marks[index + 1].bytes.lowerBound)
    return first < end && gaps.contains { $0.overlaps(first..<end) }
  }

  /// Number of bytes whose part is unknown.
  var unknownByteCount: Int {
    marks.indices.dropLast().reduce(0) { sum, index in unknownPlaces(after: index).reduce(sum) { $0 + $1.count } }
  }

  /// Returns the bytes to read for the border with the greatest error; nil if all errors are small. The bytes before a
  /// place without sound come first, because the start of a tag shows its end.
  func nextProbe(before end: Int) -> PartFinder.Probe? {
    let errors = marks.indices.dropLast().map { (index: $0, error: error(after: $0)) }
    guard let worst = errors.max(by: { $0.error < $1.error }), worst.error > Self.maxError,
      let place = unknownPlaces(after: worst.index).first?.clamped(to: 0..<max(0, end)), !place.isEmpty
    else { return nil }
    let packet = Int(max(marks[worst.index].rate.packetBytes, marks[worst.index + 1].rate.packetBytes)) + 2
    let most = min(PartFinder.maxProbeByteCount, end - place.lowerBound)
    guard place.count > most - 5 * packet else {
      return PartFinder.Probe(byte: place.lowerBound, byteCount: min(most, place.count + 5 * packet))
    }
    let count = min(most, max(Self.minProbeByteCount, 7 * packet))
    let byte = max(place.lowerBound, place.lowerBound + place.count / 2 - count / 2)
    return PartFinder.Probe(byte: byte, byteCount: count)
  }

  // MARK: Parts

  /// Returns the parts from `first` to `end`, without their times. `isEndKnown`: false if the last part may end early.
  func parts(from first: Int, to end: Int, isEndKnown: Bool) -> [SoundPart] {
    var parts: [SoundPart] = []
    var start = first
    for (index, mark) in marks.enumerated() {
      let isLast = index == marks.count - 1
      let border = isLast ? end..<end : border(after: index)
      let isExact = isLast ? isEndKnown : error(after: index) <= Self.maxExactError
      let isWhole = isExact && (index > 0 || first == mark.bytes.lowerBound)
      let places = start < border.lowerBound ? soundPlaces(in: start..<border.lowerBound) : []
      for place in places {
        let endsFile = isLast && place.upperBound == end
        parts.append(SoundPart(place, mark.rate, isExact: isWhole, isLast: endsFile))
      }
      // Marks overlap if damaged bytes were read twice, from different positions.
      start = max(start, border.upperBound)
    }
    return parts
  }

  /// Returns the bytes between two parts: no bytes in the middle of the unknown bytes, or a place without sound.
  private func border(after index: Int) -> Range<Int> {
    let (first, end) = (marks[index].bytes.upperBound, marks[index + 1].bytes.lowerBound)
    guard first < end else { return max(first, end)..<max(first, end) }
    let inside = gaps.filter { $0.overlaps(first..<end) }
    if let one = inside.first, let last = inside.last {
      return max(first, one.lowerBound)..<min(end, last.upperBound)
    }
    let middle = first + (end - first) / 2
    return middle..<middle
  }
}

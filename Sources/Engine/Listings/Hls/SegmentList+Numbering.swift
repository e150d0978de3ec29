extension SegmentList {
  /// Returns this list with the numbers of an earlier copy, if neither has EXT-X-MEDIA-SEQUENCE.
  ///
  /// A list that slides without numbers is matched by its addresses: the end of `older` with the start of this list.
  /// Without a match, its segments follow those of `older`.
  public func numbered(after older: SegmentList) -> SegmentList {
    guard !isNumbered, !older.isNumbered, let first = segments.first, let last = older.segments.last else {
      return self
    }
    let start = older.overlap(with: self).map { older.segments[$0].sequence } ?? last.sequence + 1
    let shift = start &- first.sequence
    guard shift > 0, start >= first.sequence else { return self }
    var list = self
    list.sequence &+= shift
    for index in list.segments.indices { list.segments[index].sequence &+= shift }
    return list
  }

  /// Returns the first index from which on all segments equal the start of `newer`; nil without a match.
  ///
  /// Compares most places by one address only, since a place whose first addresses agree is usually the match.
  private func overlap(with newer: SegmentList) -> Int? {
    var work = Self.maxComparisons
    for index in segments.indices where segments[index].isSame(as: newer.segments[0]) {
      let pairs = zip(segments[index...], newer.segments)
      work -= min(segments.count - index, newer.segments.count)
      guard work > 0 else { return nil }
      if pairs.allSatisfy({ $0.isSame(as: $1) }) { return index }
    }
    return nil
  }

  /// Limit for lists that repeat one address.
  private static let maxComparisons = 8 * segmentLimit
}

extension MediaSegment {
  fileprivate func isSame(as other: MediaSegment) -> Bool { address == other.address && range == other.range }
}

/// What a list says of some of its segments only; segments that follow one another share it where it is the same.
final class SegmentDetails: Hashable, Sendable {
  let title: String?
  let artist: String?
  let range: SegmentRange?
  let isGap: Bool
  let map: SegmentMap?
  let key: SegmentKey?

  /// Nil where nothing is said.
  static func of(
    title: String? = nil, artist: String? = nil, range: SegmentRange? = nil, isGap: Bool = false,
    map: SegmentMap? = nil, key: SegmentKey? = nil
  ) -> SegmentDetails? {
    let isEmpty = title == nil && artist == nil && range == nil && !isGap && map == nil && key == nil
    return isEmpty ? nil : SegmentDetails(title, artist, range, isGap, map, key)
  }

  private init(
    _ title: String?, _ artist: String?, _ range: SegmentRange?, _ isGap: Bool, _ map: SegmentMap?, _ key: SegmentKey?
  ) {
    (self.title, self.artist, self.range, self.isGap) = (title, artist, range, isGap)
    (self.map, self.key) = (map, key)
  }

  /// The same with another header and key.
  func with(_ map: SegmentMap?, _ key: SegmentKey?) -> SegmentDetails? {
    Self.of(title: title, artist: artist, range: range, isGap: isGap, map: map, key: key)
  }

  static func == (left: SegmentDetails, right: SegmentDetails) -> Bool {
    left === right
      || left.title == right.title && left.artist == right.artist && left.range == right.range
        && left.isGap == right.isGap && left.map == right.map && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(artist)
    hasher.combine(range)
    hasher.combine(isGap)
    hasher.combine(map)
    hasher.combine(key)
  }
}

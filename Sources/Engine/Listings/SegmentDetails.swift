/// What a list says of some of its segments only. It lies apart from the segment, and segments that follow one another
/// share it where it is the same.
indirect enum SegmentDetails: Hashable, Sendable {
  case told(Fields)

  /// What is said.
  struct Fields: Hashable, Sendable {
    var title: String?
    var artist: String?
    var range: SegmentRange?
    var isGap = false
    var map: SegmentMap?
    var key: SegmentKey?
  }

  /// What is said; nil where nothing is.
  init?(_ fields: Fields) {
    guard fields != Fields() else { return nil }
    self = .told(fields)
  }

  var fields: Fields {
    switch self {
    case .told(let fields): fields
    }
  }
}

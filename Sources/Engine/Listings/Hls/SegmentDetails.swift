import Framing

/// Properties that only some segments have, stored apart. Equal details of consecutive segments share memory.
indirect enum SegmentDetails: Hashable, Sendable {
  case told(Fields)

  struct Fields: Hashable, Sendable {
    var title: String?
    var artist: String?
    var range: SegmentRange?
    var isGap = false
    var ad: AdMark?
    var map: SegmentMap?
    var key: SegmentKey?
  }

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

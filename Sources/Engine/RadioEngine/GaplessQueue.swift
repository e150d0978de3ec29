import Network
import Units

/// The files of one programme: the one that is heard, and those behind it in the ring.
struct GaplessQueue {
  /// A file that follows in the same programme.
  struct Track {
    /// How it was asked for; nil where that is not wanted any more.
    var wanted: Wanted?
    var facts: StationFacts
    /// Where it lies in the programme.
    var place: FilePlace
  }

  /// A file that is to follow.
  struct Wanted {
    var request: StationRequest
    /// Which of its list it is; nil where it is of none.
    var item: Int?

    func isSame(as other: Wanted?) -> Bool {
      other.map { $0.request.url == request.url && $0.request.start == request.start && $0.item == item } ?? false
    }
  }

  /// When the first moment of the file that is heard sounds in the programme.
  private(set) var base = StreamTime.zero
  /// Files of the programme before it.
  private(set) var number = 0
  /// Seconds that were heard of those.
  private(set) var heardBefore = 0.0
  /// Those that follow and are not heard yet, in their order.
  private(set) var tracks: [Track] = []
  private var ordered: Wanted?
  /// Whether it was said what follows on the last file, be it nothing.
  private var isSaid = false
  private var token = 0

  /// Notes what is to follow; its token, or nil where that was said before.
  mutating func order(_ wanted: Wanted?) -> Int? {
    if isSaid, wanted?.isSame(as: ordered) ?? (ordered == nil) { return nil }
    (ordered, isSaid) = (wanted, true)
    token += 1
    return token
  }

  /// What was ordered by a token is in the ring.
  mutating func append(_ facts: StationFacts, at place: FilePlace, token: Int) {
    let isWanted = token == self.token
    tracks.append(Track(wanted: isWanted ? ordered : nil, facts: facts, place: place))
    if isWanted { (ordered, isSaid) = (nil, false) }
  }

  /// Something else than a file that is in the ring already is to follow: that one is not wanted any more. What its
  /// list says of it stays.
  mutating func disown(unless wanted: Wanted?) {
    guard let last = tracks.last?.wanted, last.item == nil, !last.isSame(as: wanted) else { return }
    tracks[tracks.count - 1].wanted = nil
  }

  /// The next file is heard; `heard` seconds were of all before it.
  mutating func advance(heard: Double) -> Track {
    let next = tracks.removeFirst()
    (base, heardBefore) = (next.place.base, heard)
    number += 1
    return next
  }

  /// The file that is heard begins a programme anew, from another place.
  mutating func restart() {
    (base, tracks, ordered, isSaid) = (.zero, [], nil, false)
  }

  /// When the next file begins to be heard; nil where none is in the ring.
  var border: StreamTime? { tracks.first?.place.border }

  /// The file that came last is so much further than was thought.
  mutating func correct(by further: StreamTime) {
    if tracks.isEmpty {
      base = base - further
    } else {
      tracks[tracks.count - 1].place.base = tracks[tracks.count - 1].place.base - further
    }
  }

  /// The length of the file that came last is known better.
  mutating func learn(_ length: StreamTime, of facts: inout StationFacts?) {
    if tracks.isEmpty { facts?.duration = length } else { tracks[tracks.count - 1].facts.duration = length }
  }
}

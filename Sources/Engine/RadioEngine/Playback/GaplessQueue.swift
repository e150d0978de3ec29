import Network
import Units

/// The files of one programme: the audible one and its successors in the ring.
struct GaplessQueue {
  struct Track {
    /// The file's request; nil if the file is no longer wanted.
    var wanted: Successor?
    var facts: StationFacts
    var place: FilePlace
  }

  struct Successor {
    var request: StationRequest
    /// The index in its list; nil outside a list.
    var item: Int?

    func isSame(as other: Successor?) -> Bool {
      other.map { $0.request.url == request.url && $0.request.start == request.start && $0.item == item } ?? false
    }
  }

  /// Programme time of the audible file's first moment.
  private(set) var base = StreamTime.zero
  /// Number of the programme's completed files.
  private(set) var number = 0
  /// Seconds heard of the completed files.
  private(set) var heardBefore = 0.0
  private(set) var tracks: [Track] = []
  private var ordered: Successor?
  /// True if the next file is decided; `ordered` is then nil if no file follows.
  private var isDecided = false
  private var token = 0

  /// Sets the next file and returns its token; nil if it was already set.
  mutating func order(_ wanted: Successor?) -> Int? {
    if isDecided, wanted?.isSame(as: ordered) ?? (ordered == nil) { return nil }
    (ordered, isDecided) = (wanted, true)
    token += 1
    return token
  }

  /// Records that the file of `token` is in the ring.
  mutating func append(_ facts: StationFacts, at place: FilePlace, token: Int) {
    let isWanted = token == self.token
    tracks.append(Track(wanted: isWanted ? ordered : nil, facts: facts, place: place))
    if isWanted { (ordered, isDecided) = (nil, false) }
  }

  /// Marks the last file as unwanted unless it is `wanted`. An item of a list stays wanted.
  mutating func dropFollower(unless wanted: Successor?) {
    guard let last = tracks.last?.wanted, last.item == nil, !last.isSame(as: wanted) else { return }
    tracks[tracks.count - 1].wanted = nil
  }

  /// Moves to the next file. `heard`: seconds heard of all files before it.
  mutating func advance(heard: Double) -> Track {
    let next = tracks.removeFirst()
    (base, heardBefore) = (next.place.base, heard)
    number += 1
    return next
  }

  mutating func restart() {
    base = .zero
    tracks = []
    ordered = nil
    isDecided = false
  }

  /// Programme time of the next file's first packet; nil if no next file is in the ring.
  var border: StreamTime? { tracks.first?.place.border }

  /// Moves the start of the newest file back by `further`: its packets are later in the file than assumed.
  mutating func correct(by further: StreamTime) {
    if tracks.isEmpty {
      base = base - further
    } else {
      tracks[tracks.count - 1].place.base = tracks[tracks.count - 1].place.base - further
    }
  }

  mutating func updateLength(_ length: StreamTime, of facts: inout StationFacts?) {
    if tracks.isEmpty { facts?.duration = length } else { tracks[tracks.count - 1].facts.duration = length }
  }
}

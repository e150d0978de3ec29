import Network
import Units

/// The current station, file or list, and its successors.
///
/// This value chooses the next request. Its owner starts the request, or passes it to the net thread for a gapless
/// change.
struct ItemQueue {
  /// The tuned request; if it leads to a list, `request` may be an item of the list.
  private(set) var station: StationRequest?
  private(set) var request: StationRequest?
  /// The next target for `play`; the audible programme continues.
  private var selected: StationRequest?
  /// The list last opened for `station`.
  private(set) var list: FileList?
  /// The audible or requested item; nil if unknown.
  private(set) var item: Int?
  /// The successor of a file outside a list, or of a list's last item.
  var follower: StationRequest?
  private var files = GaplessQueue()

  var base: StreamTime { files.base }
  var fileNumber: Int { files.number }
  var border: StreamTime? { files.border }
  var heardBefore: Double { files.heardBefore }

  // MARK: Tuning

  mutating func tune(_ request: StationRequest) {
    (list, item, follower) = (nil, nil, nil)
    station = request
  }

  mutating func begin(_ request: StationRequest) {
    self.request = request
    (files, selected) = (GaplessQueue(), nil)
  }

  mutating func select(_ request: StationRequest) { selected = request }

  var hasSelected: Bool { selected != nil }

  var chosen: StationRequest? { selected ?? station }

  /// Treats the tuned address as a file from now on, including the items of its list.
  mutating func treatAsFile() {
    request?.mode = .file
    station?.mode = .file
  }

  /// Changes the current request. Also changes `station`, from which the requests for later items of its list are made.
  mutating func adjust(_ change: RequestChange) {
    request?.apply(change)
    station?.apply(change)
  }

  // MARK: A list

  /// Stores an opened list. Keeps the current item if a seek reopened the same list.
  mutating func store(_ list: FileList) {
    if list != self.list { item = nil }
    self.list = list
  }

  func listItem(_ number: Int?) -> FileList.Item? {
    guard let list, let number, list.items.indices.contains(number) else { return nil }
    return list.items[number]
  }

  /// Returns the request for an item; nil outside the list. `start` returns an item's start in seconds.
  func request(for number: Int, start: (FileList.Item) -> Double) -> StationRequest? {
    guard let entry = listItem(number), let list, var next = station else { return nil }
    (next.url, next.referral) = (entry.url, list.referral)
    next.addressKind = .automatic
    if list.isFeed { next.mode = .file }
    if number != 0 || next.start == .zero { next.start = StreamTime(seconds: max(0, start(entry))) }
    return next
  }

  mutating func recordArrival(at number: Int) { item = number }

  func startEvents(of number: Int, url: String?) -> [Event] {
    guard let list, let entry = listItem(number) else { return [] }
    let url = url ?? entry.shownURL
    return [.itemBegan(index: number + 1, count: list.items.count, title: entry.title, url: url)]
  }

  var shownList: FileList? { list?.isFeed == true || item != nil ? list : nil }

  // MARK: Successors

  /// Returns the successor of the programme's last file: the next item, else the follower; nil without both.
  func next(start: (FileList.Item) -> Double) -> GaplessQueue.Successor? {
    let last = files.tracks.last.map { $0.wanted?.item } ?? item
    if let last, let next = request(for: last + 1, start: start) {
      return GaplessQueue.Successor(request: next, item: last + 1)
    }
    return files.tracks.isEmpty ? follower.map { GaplessQueue.Successor(request: $0, item: nil) } : nil
  }

  /// Returns the successor's token; nil if already set. A replaced follower in the ring is no longer wanted.
  mutating func order(_ next: GaplessQueue.Successor?) -> Int? {
    files.dropFollower(unless: follower.map { GaplessQueue.Successor(request: $0, item: nil) })
    return files.order(next)
  }

  /// Records that the successor is in the ring. Returns its index in the list; nil outside a list.
  mutating func appendFollower(_ facts: StationFacts, at place: FilePlace, token: Int) -> Int? {
    files.append(facts, at: place, token: token)
    return files.tracks.last?.wanted?.item
  }

  enum Advance {
    case unwanted
    case item(Int, StationFacts)
    case follower(StationFacts)
  }

  mutating func advance(heard: Double) -> Advance {
    let next = files.advance(heard: heard)
    guard let wanted = next.wanted else { return .unwanted }
    request = wanted.request
    guard let item = wanted.item else {
      station = wanted.request
      (list, self.item, follower) = (nil, nil, nil)
      return .follower(next.facts)
    }
    return .item(item, next.facts)
  }

  mutating func restart() { files.restart() }

  mutating func correct(by further: StreamTime) { files.correct(by: further) }

  /// Updates the length of the newest file. `facts`: those of the audible file.
  mutating func updateLength(_ length: StreamTime, of facts: inout StationFacts?) {
    files.updateLength(length, of: &facts)
  }
}

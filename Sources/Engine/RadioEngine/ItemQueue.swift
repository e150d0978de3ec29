import Network
import Units

/// What the owner of a radio says of lists.
struct ItemChoices {
  /// Which episode of a podcast is played first.
  var item: (FileList) -> Int = { _ in 0 }
  /// Where an item is begun, in seconds.
  var start: (FileList.Item) -> Double = { _ in 0 }
}

/// What is tuned to, and what follows: a station, a file, or a list whose items follow on each other.
///
/// A value. It says which request is next; who owns it begins that, or has the net thread ask for it in the same
/// programme, so that nothing is heard of the border.
struct ItemQueue {
  /// What was tuned to, of which `request` may be an item.
  private(set) var station: StationRequest?
  /// What the programme that is heard was asked for with.
  private(set) var request: StationRequest?
  /// What `play` tunes to; what is heard goes on.
  private var selected: StationRequest?
  /// The list that was opened last for this station; nil where none was.
  private(set) var list: FileList?
  /// Which of its items is heard, or asked for; nil where that is not known.
  private(set) var item: Int?
  /// What is played after a file that is in no list, or the last of its list.
  var follower: StationRequest?
  /// The files of the programme.
  private var files = GaplessQueue()

  /// The place of a file in the programme: when its first moment sounds there, and how many files came before it.
  var base: StreamTime { files.base }
  var fileNumber: Int { files.number }
  /// When the next file begins to be heard; nil where none is in the ring.
  var border: StreamTime? { files.border }
  /// Seconds that were heard of the files before.
  var heardBefore: Double { files.heardBefore }

  // MARK: What is tuned to

  /// Another station is tuned to.
  mutating func tune(_ request: StationRequest) {
    (list, item, follower) = (nil, nil, nil)
    station = request
  }

  /// A programme begins.
  mutating func begin(_ request: StationRequest) {
    self.request = request
    (files, selected) = (GaplessQueue(), nil)
  }

  /// Chooses what `chosen` is.
  mutating func select(_ request: StationRequest) { selected = request }

  /// Whether something was chosen since the last programme began.
  var hasSelected: Bool { selected != nil }

  /// What is to be tuned to where nothing else is said: what was selected, or what was tuned to last.
  var chosen: StationRequest? { selected ?? station }

  /// What was taken for a station is a file: what else of it, or of its list, is asked for is asked for as a file.
  mutating func turnedOutFile() {
    request?.mode = .file
    station?.mode = .file
  }

  /// Changes what was asked for, and so what follows of its list.
  mutating func adjust(_ change: RequestChange) {
    if var next = request {
      change.apply(to: &next)
      request = next
    }
    if var next = station {
      change.apply(to: &next)
      station = next
    }
  }

  // MARK: A list

  /// Stores an opened list. Keeps the current item if a seek reopened the same list.
  mutating func opened(_ list: FileList?) {
    if list != self.list { item = nil }
    self.list = list
  }

  /// An item of the list, with its number; nil where there is no such item.
  func listed(_ number: Int?) -> FileList.Item? {
    guard let list, let number, list.items.indices.contains(number) else { return nil }
    return list.items[number]
  }

  /// How an item of the list is asked for; nil where there is no such item. `start` tells where one begins, in seconds.
  func request(for number: Int, start: (FileList.Item) -> Double) -> StationRequest? {
    guard let entry = listed(number), let list, var next = station else { return nil }
    (next.url, next.referral) = (entry.url, list.referral)
    next.addressKind = .automatic
    if list.isFeed { next.mode = .file }
    if number != 0 || next.start == .zero { next.start = StreamTime(seconds: max(0, start(entry))) }
    return next
  }

  /// An item is heard, or asked for.
  mutating func arrived(at number: Int) { item = number }

  /// What there is to tell of an item that flows, from `url` where that is known.
  func beginning(of number: Int, url: String?) -> [Event] {
    guard let list, let entry = listed(number) else { return [] }
    let url = url ?? entry.shownURL
    return [.itemBegan(index: number + 1, count: list.items.count, title: entry.title, url: url)]
  }

  /// The list to be shown: a podcast's, and that of an item.
  var shownList: FileList? { list?.isFeed == true || item != nil ? list : nil }

  // MARK: What follows

  /// What follows on the last file of the programme: the next item, or the follower; nil where nothing does. `start`
  /// tells where an item begins, in seconds.
  func next(start: (FileList.Item) -> Double) -> GaplessQueue.Wanted? {
    let last = files.tracks.last.map { $0.wanted?.item } ?? item
    if let last, let next = request(for: last + 1, start: start) {
      return GaplessQueue.Wanted(request: next, item: last + 1)
    }
    return files.tracks.isEmpty ? follower.map { GaplessQueue.Wanted(request: $0, item: nil) } : nil
  }

  /// Notes what is to follow, be it nothing; its token for the net thread, or nil where that was told before.
  mutating func order(_ next: GaplessQueue.Wanted?) -> Int? {
    files.disown(unless: follower.map { GaplessQueue.Wanted(request: $0, item: nil) })
    return files.order(next)
  }

  /// What was to follow is in the ring; which item it is, where it is one.
  mutating func followed(_ facts: StationFacts, at place: FilePlace, token: Int) -> Int? {
    files.append(facts, at: place, token: token)
    return files.tracks.last?.wanted?.item
  }

  /// What the next file of the programme is, of which the first moment is heard.
  enum Advance {
    /// Something that is not wanted any more.
    case unwanted
    /// An item of the list.
    case item(Int, StationFacts)
    /// What was to follow on a file, or on a list, which is over.
    case follower(StationFacts)
  }

  /// Goes over to the next file; `heard` seconds were heard of all before it.
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

  /// The file that is heard begins a programme anew, from another place.
  mutating func restart() { files.restart() }

  /// The file that came last is so much further than was thought.
  mutating func correct(by further: StreamTime) { files.correct(by: further) }

  /// The length of the file that came last is known better. `facts` are those of the file that is heard.
  mutating func learn(_ length: StreamTime, of facts: inout StationFacts?) { files.learn(length, of: &facts) }
}

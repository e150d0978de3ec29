import Framing
import Network
import Units

// Lists of files (R11.3, E1): one item after the other, without a gap where they are files.
extension Radio {
  /// Plays an item of the list; false where there is no such item.
  @discardableResult
  public func playItem(_ number: Int) -> Bool { begin(item: number, keepsPause: false) }

  /// Goes on with an item that the listener did not ask for: a pause stays. False where there is no such item.
  func goOn(toItem number: Int) -> Bool { begin(item: number, keepsPause: true) }

  private func begin(item number: Int, keepsPause: Bool) -> Bool {
    guard let next = request(for: number) else { return false }
    begin(next, keepsPause: keepsPause)
    item = number
    return true
  }

  /// When the first moment of what is heard sounds in the programme: zero but for files that follow on others.
  var base: StreamTime { line.base }

  private func request(for number: Int) -> StationRequest? {
    guard let list, list.items.indices.contains(number), var next = station else { return nil }
    (next.url, next.referral) = (list.items[number].url, list.referral)
    next.kind = .automatic
    if list.isFeed { next.mode = .file }
    if number != 0 || next.start == .zero {
      next.start = StreamTime(seconds: max(0, startOfItem(list.items[number])))
    }
    return next
  }

  // MARK: What is told

  /// A list was opened: of a podcast one episode is played, of another list the net thread tries what it names.
  func listed() {
    list = engine.openedList
    item = nil
    guard let list, list.isFeed else { return }
    let asked = tuned
    if goOn(toItem: chooseItem(list)) { tuned = asked } else { stop(.error) }
  }

  /// A file of the list flows.
  func arrived(at number: Int) {
    guard let list, list.items.indices.contains(number) else { return }
    item = number
    let new = list.items[number]
    tell(
      .itemBegan(index: number + 1, count: list.items.count, title: new.title, url: facts?.url ?? new.shownURL))
  }

  /// The title of an item is heard from its first moment on.
  func entitle(_ number: Int, at time: StreamTime) {
    guard let list, list.items.indices.contains(number), let text = list.items[number].title else { return }
    let title = Title(text, url: nil)
    titles.append(title, at: time)
    tell(.metadataReceived(title))
  }

  /// Goes on after an item that cannot be had; false where nothing follows, or more than the item is wrong.
  func skipItem(after trouble: Trouble) -> Bool {
    guard let item, !trouble.fault.isBeyondItem else { return false }
    return goOn(toItem: item + 1)
  }

  // MARK: What follows

  /// Has the net thread ask for what follows when it is time.
  func arrangeFollower() {
    guard facts?.isLive == false, phase != .stopped else { return }
    let next = nextInLine
    if let token = line.order(next) { engine.follow(next?.request, token: token) }
  }

  private var nextInLine: FileLine.Wanted? {
    // A length that was asked for is one of each file.
    guard settings.duration == nil else { return nil }
    let last = line.sequels.last.map { $0.wanted?.item } ?? item
    if let last, let next = request(for: last + 1) { return FileLine.Wanted(request: next, item: last + 1) }
    return line.sequels.isEmpty ? follower.map { FileLine.Wanted(request: $0, item: nil) } : nil
  }

  /// What was to follow is in the ring.
  func followed(_ facts: StationFacts, at place: FilePlace, token: Int) {
    line.append(facts, at: place, token: token)
    if let item = line.sequels.last?.wanted?.item { entitle(item, at: place.border) }
    arrangeFollower()
  }

  /// Goes over to the files whose first moment was heard.
  func advance() {
    while let border = line.border, shift.target == nil, position >= border {
      let heard = heardSeconds - (position - border).seconds
      tell(.fileComplete(heard: heard - line.heardBefore))
      let next = line.advance(heard: heard)
      // Something else was chosen to follow when it was too late: who chose it tunes to it.
      guard let wanted = next.wanted else { return stop(.end) }
      (request, facts) = (wanted.request, next.facts)
      if let item = wanted.item {
        arrived(at: item)
      } else {
        station = wanted.request
        (list, item, follower) = (nil, nil, nil)
        tell(.followed(url: next.facts.url))
      }
      if let format { tellInfo(format) }
      tell(.playing(station: name, latency: 0, behindLive: nil))
      arrangeFollower()
    }
  }

  /// A place of what is played, no further than the file goes.
  func inFile(_ time: StreamTime) -> StreamTime {
    guard facts?.isLive == false else { return time }
    let end = line.border ?? StreamTime(ticks: .max)
    return max(base, min(time, end))
  }
}

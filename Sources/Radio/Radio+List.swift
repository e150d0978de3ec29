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
    guard let next = queue.request(for: number, start: startOfItem) else { return false }
    begin(next, keepsPause: keepsPause)
    queue.arrived(at: number)
    return true
  }

  // MARK: What is told

  /// A list was opened: of a podcast one episode is played, of another list the net thread tries what it names.
  func listed() {
    queue.opened(engine.openedList)
    guard let list, list.isFeed else { return }
    let asked = tuned
    if goOn(toItem: chooseItem(list)) { tuned = asked } else { stop(.error) }
  }

  /// A file of the list flows.
  func arrived(at number: Int) {
    guard let list, let new = queue.listed(number) else { return }
    queue.arrived(at: number)
    tell(
      .itemBegan(index: number + 1, count: list.items.count, title: new.title, url: facts?.url ?? new.shownURL))
  }

  /// The title of an item is heard from its first moment on.
  func entitle(_ number: Int, at time: StreamTime) {
    guard let text = queue.listed(number)?.title else { return }
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
    // A length that was asked for is one of each file.
    let next = settings.duration == nil ? queue.next(start: startOfItem) : nil
    if let token = queue.order(next) { engine.follow(next?.request, token: token) }
  }

  /// What was to follow is in the ring.
  func followed(_ facts: StationFacts, at place: FilePlace, token: Int) {
    if let item = queue.followed(facts, at: place, token: token) { entitle(item, at: place.border) }
    arrangeFollower()
  }

  /// Goes over to the files whose first moment was heard.
  func advance() {
    while let border = queue.border, !transport.isSeeking, position >= border {
      let heard = heardSeconds - (position - border).seconds
      tell(.fileComplete(heard: heard - queue.heardBefore))
      switch queue.advance(heard: heard) {
      // Something else was chosen to follow when it was too late: who chose it tunes to it.
      case .unwanted: return stop(.end)
      case .item(let item, let facts):
        self.facts = facts
        arrived(at: item)
      case .follower(let facts):
        self.facts = facts
        arrangeFollower()
        tell(.followed(url: facts.url))
      }
      if let format { tellInfo(format) }
      tell(.playing(station: name, latency: 0, behindLive: nil))
      arrangeFollower()
    }
  }
}

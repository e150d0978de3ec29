import Network
import Units

/// Plays the items of a list in order, and requests each successor in time for a gapless change. Used by the control
/// thread.
final class ItemPlayer {
  var queue = ItemQueue()
  var choices = ItemChoices()
  private let engine: any EngineControl
  /// True if files play to their ends, false if a duration was requested.
  private let playsWhole: Bool

  init(_ engine: any EngineControl, playsWhole: Bool) { (self.engine, self.playsWhole) = (engine, playsWhole) }

  /// Changes the current request; false if nothing is tuned.
  func adjust(_ change: RequestChange) -> Bool {
    guard queue.station != nil else { return false }
    queue.adjust(change)
    engine.adjust(change)
    return true
  }

  /// The display name: from the list, from the station, or from the file name.
  func name(_ facts: StationFacts?) -> String {
    if facts?.isLive != true, let title = queue.listed(queue.item)?.title { return title }
    return facts?.shownName ?? queue.request?.url.description ?? ""
  }

  /// Returns the request for an item; nil if there is no such item.
  func request(for number: Int) -> StationRequest? { queue.request(for: number, start: choices.start) }

  /// Handles an opened list. Returns the podcast episode to play; nil for other lists, which the net thread plays.
  func opened() -> Int? {
    queue.opened(engine.openedList)
    guard let list = queue.list, list.isFeed else { return nil }
    return choices.item(list)
  }

  /// Handles the first data of a list item and returns its events.
  func arrived(at number: Int, _ facts: StationFacts?) -> [Event] {
    guard queue.listed(number) != nil else { return [] }
    queue.arrived(at: number)
    return queue.beginning(of: number, url: facts?.url)
  }

  func title(of number: Int) -> Title? { queue.listed(number)?.title.map { Title($0, url: nil) } }

  /// Returns the item after a failed one; nil if no item was played, or if the fault concerns more than the item.
  func successor(after fault: PlaybackFault) -> Int? {
    fault.cause.isBeyondItem ? nil : queue.item.map { $0 + 1 }
  }

  /// Requests the next item from the net thread when it is due.
  func arrangeFollower() {
    let next = playsWhole ? queue.next(start: choices.start) : nil
    if let token = queue.order(next) { engine.follow(next?.request, token: token) }
  }

  /// Moves to the next file when it becomes audible; `heard` is the total of seconds heard before it. Returns its
  /// events, or nil if another successor was chosen too late.
  func advance(heard: Double, _ programme: inout Programme) -> [Event]? {
    switch queue.advance(heard: heard) {
    case .unwanted: return nil
    case .item(let item, let facts):
      programme.advance(to: facts)
      return arrived(at: item, facts)
    case .follower(let facts):
      programme.advance(to: facts)
      return [.followed(url: facts.url)]
    }
  }
}

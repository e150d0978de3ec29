import Framing
import Network
import Units

/// Plays the items of a list in order, if possible without gaps. Control thread only.
final class ItemPlayer {
  var queue = ItemQueue()
  var choices = ItemChoices()
  private let engine: any EngineControl
  /// False if a duration was requested, so that no successor follows.
  private let playsWhole: Bool

  init(_ engine: any EngineControl, playsWhole: Bool) { (self.engine, self.playsWhole) = (engine, playsWhole) }

  func adjust(_ change: RequestChange) -> Bool {
    guard queue.station != nil else { return false }
    queue.adjust(change)
    engine.adjust(change)
    return true
  }

  /// Returns the display name: from the list unless live, else from the station, the file name or the address.
  func name(_ facts: StationFacts?) -> String {
    if facts?.isLive != true, let title = queue.listItem(queue.item)?.title { return title }
    return facts?.shownName ?? queue.request?.url.description ?? ""
  }

  func request(for number: Int) -> StationRequest? { queue.request(for: number, start: choices.start) }

  /// Stores an opened list. Returns the podcast episode to play; nil for other lists, which the net thread plays.
  func open(_ list: FileList) -> Int? {
    queue.store(list)
    return list.isFeed ? choices.item(list) : nil
  }

  /// Makes a list item the current item and returns its events. Ignores a number outside the list.
  func recordArrival(at number: Int, _ facts: StationFacts?) -> [Event] {
    guard queue.listItem(number) != nil else { return [] }
    queue.recordArrival(at: number)
    return queue.startEvents(of: number, url: facts?.url)
  }

  func title(of number: Int) -> Title? { queue.listItem(number)?.title.map { Title($0, url: nil) } }

  /// Returns the number after the current item; nil without an item, or if the fault concerns more than the item.
  func successor(after fault: PlaybackFault) -> Int? {
    fault.cause.isBeyondItem ? nil : queue.item.map { $0 + 1 }
  }

  /// Passes a changed successor to the net thread, which requests it in time.
  func arrangeFollower() {
    let next = playsWhole ? queue.next(start: choices.start) : nil
    if let token = queue.order(next) { engine.follow(next?.request, token: token) }
  }

  /// Moves to the next file. `heard`: seconds heard of all files before it. Returns nil if this file is no longer
  /// wanted.
  func advance(heard: Double, _ programme: inout Programme) -> [Event]? {
    switch queue.advance(heard: heard) {
    case .unwanted: return nil
    case .item(let item, let facts):
      programme.advance(to: facts)
      return recordArrival(at: item, facts)
    case .follower(let facts):
      programme.advance(to: facts)
      return [.followed(url: facts.url)]
    }
  }
}

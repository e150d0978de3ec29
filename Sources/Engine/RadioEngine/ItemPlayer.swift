import Network
import Units

/// Goes through the items of what is tuned to: says which one is next and what is told of it, and has the net thread
/// ask for what follows a file without a gap. The control thread's.
final class ItemPlayer {
  /// What is tuned to, and what follows.
  var queue = ItemQueue()
  /// What the owner of the radio says of lists.
  var choices = ItemChoices()
  private let engine: any EngineControl
  /// Whether files are played to their ends; else each is as long as was asked for.
  private let playsWhole: Bool

  init(_ engine: any EngineControl, playsWhole: Bool) { (self.engine, self.playsWhole) = (engine, playsWhole) }

  /// Changes the request of what was tuned to; false where that is nothing.
  func adjust(_ change: RequestChange) -> Bool {
    guard queue.station != nil else { return false }
    queue.adjust(change)
    engine.adjust(change)
    return true
  }

  /// What is heard, or asked for: as its list calls a file, as a station calls itself, or as a file is named.
  func name(_ facts: StationFacts?) -> String {
    if facts?.isLive != true, let title = queue.listed(queue.item)?.title { return title }
    return facts?.shownName ?? queue.request?.url.description ?? ""
  }

  /// How an item of the list is asked for; nil where there is no such item.
  func request(for number: Int) -> StationRequest? { queue.request(for: number, start: choices.start) }

  /// A list was opened: which episode of a podcast is to be played; nil of another list, of which the net thread tries
  /// what it names.
  func opened() -> Int? {
    queue.opened(engine.openedList)
    guard let list = queue.list, list.isFeed else { return nil }
    return choices.item(list)
  }

  /// A file of the list flows; what is told of it.
  func arrived(at number: Int, _ facts: StationFacts?) -> [Event] {
    guard queue.listed(number) != nil else { return [] }
    queue.arrived(at: number)
    return queue.beginning(of: number, url: facts?.url)
  }

  /// What the list calls an item.
  func title(of number: Int) -> Title? { queue.listed(number)?.title.map { Title($0, url: nil) } }

  /// The item after one that cannot be had; nil where none was heard or asked for, or more than the item is wrong.
  func successor(after fault: PlaybackFault) -> Int? {
    fault.cause.isBeyondItem ? nil : queue.item.map { $0 + 1 }
  }

  /// Has the net thread ask for what follows when it is time.
  func arrangeFollower() {
    let next = playsWhole ? queue.next(start: choices.start) : nil
    if let token = queue.order(next) { engine.follow(next?.request, token: token) }
  }

  /// Goes over to the next file of the programme, whose first moment is heard; `heard` seconds were heard of all before
  /// it. What is told of it; nil where something else was chosen to follow when it was too late.
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

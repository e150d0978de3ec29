import System
import Units

/// What the control thread and the link's thread tell each other: of what the radio does the newest, of orders a few.
final class LinkMailbox: Sendable {
  private struct Contents {
    var snapshot: RadioSnapshot?
    var orders = OrderQueue()
    var state = LinkState.connecting
    /// When it was told to end; nil where it was not.
    var stopped: MonotonicTime?
  }

  private let contents = Locked(Contents())
  /// Wakes the link's thread.
  let wake = WakeFlag()
  /// Wakes the control thread.
  let news = WakeFlag()
  /// Raised at the end of the link's thread.
  let done = WakeFlag()

  // MARK: The control thread's

  /// Tells what the radio does.
  func post(_ snapshot: RadioSnapshot) {
    contents.withLock { $0.snapshot = snapshot }
    wake.raise()
  }

  /// Takes the orders that came, but a volume that has to wait.
  func takeOrders(at now: MonotonicTime) -> [HomeOrder] {
    news.clear()
    return contents.withLock { $0.orders.take(at: now) }
  }

  /// When that volume is to be taken; `never` where none waits.
  var due: MonotonicTime { contents.withLock { $0.orders.due } }

  /// Has the link end; when it was first told so.
  @discardableResult
  func end(at now: MonotonicTime) -> MonotonicTime {
    let stopped = contents.withLock { contents in
      let stopped = contents.stopped ?? now
      contents.stopped = stopped
      return stopped
    }
    wake.raise()
    return stopped
  }

  // MARK: The link's

  /// What the radio does, as it was told last; nil before it was.
  var snapshot: RadioSnapshot? { contents.withLock { $0.snapshot } }
  var isEnding: Bool { contents.withLock { $0.stopped != nil } }

  /// Passes an order on, or drops it where there are too many.
  func pass(_ order: HomeOrder, at now: MonotonicTime) {
    if contents.withLock({ $0.orders.add(order, at: now) }) { news.raise() }
  }

  // MARK: Both

  /// How the radio stands to its broker.
  var state: LinkState {
    get { contents.withLock { $0.state } }
    set {
      let isNew = contents.withLock { contents in
        defer { contents.state = newValue }
        return contents.state != newValue
      }
      if isNew { news.raise() }
    }
  }
}

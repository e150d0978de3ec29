import System
import Units

/// The data that control thread and link thread exchange: the newest snapshot, a few orders, and the state.
final class LinkMailbox: Sendable {
  private struct Contents {
    var snapshot: RadioSnapshot?
    var orders = OrderQueue()
    var state = LinkState.connecting
    var stopped: MonotonicTime?
  }

  private let contents = Locked(Contents())
  /// Wakes the link's thread.
  let wake = WakeFlag()
  /// Wakes the control thread.
  let news = WakeFlag()
  /// Raised at the end of the link's thread.
  let done = WakeFlag()

  // MARK: Control thread

  func post(_ snapshot: RadioSnapshot) {
    contents.withLock { $0.snapshot = snapshot }
    wake.raise()
  }

  func removeOrders(at now: MonotonicTime) -> [HomeOrder] {
    contents.withLock {
      news.clear()
      return $0.orders.removeAll(at: now)
    }
  }

  var due: MonotonicTime { contents.withLock { $0.orders.due } }

  /// Ends the link. Returns the time at which this method was first called.
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

  // MARK: Link thread

  var snapshot: RadioSnapshot? { contents.withLock { $0.snapshot } }
  var isEnding: Bool { contents.withLock { $0.stopped != nil } }

  func pass(_ order: HomeOrder, at now: MonotonicTime) {
    contents.withLock { if $0.orders.add(order, at: now) { news.raise() } }
  }

  // MARK: Both threads

  var state: LinkState {
    get { contents.withLock { $0.state } }
    set {
      contents.withLock { contents in
        guard contents.state != newValue else { return }
        contents.state = newValue
        news.raise()
      }
    }
  }
}

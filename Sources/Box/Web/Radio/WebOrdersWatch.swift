import System

/// Queries the panel's settings when the radio connects, and when its options change. Repeats the query until the radio
/// replies.
final class WebOrdersWatch {
  private let link: RadioLink
  private let clock: Clock
  private let done: (Result<WebOrders, WebError>) -> Void
  private var isStale = false
  private var isAsking = false

  init(_ link: RadioLink, _ clock: Clock, _ done: @escaping (Result<WebOrders, WebError>) -> Void) {
    (self.link, self.clock, self.done) = (link, clock, done)
    link.addListener { [unowned self] news in
      if news == .isHere(true) || news == .changed("options") { isStale = true }
    }
  }

  func attend() {
    guard isStale, !isAsking, link.isHere else { return }
    (isStale, isAsking) = (false, true)
    link.ask([RadioCommand("radio_web")], at: clock.now()) { [weak self] answer in
      guard let self else { return }
      isAsking = false
      switch answer {
      case .success(let parts): done(.success(WebOrders(parts.flatMap { $0 })))
      case .refused(_, let sentence): done(.failure(.noOrders(sentence)))
      case .absent, .silent: isStale = true
      }
    }
  }
}

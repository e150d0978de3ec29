import CLinux
import System
import Units

/// The question how the panel is served, before it is.
enum WebInquiry {
  static let command = RadioCommand("radio_web")

  /// What the radio at a socket says; where there is none, one is waited for. Nil where `isEnding` says so first,
  /// which is asked whenever something came on a descriptor that is watched.
  static func ask(
    _ path: String, watching other: Int32, _ clock: Clock, isEnding: () -> Bool
  ) throws(WebError) -> WebOrders? {
    let watch = Descriptor(bk_watch_open())
    if other >= 0 { bk_watch(watch.raw, other, false) }
    let link = RadioLink(path, watch: watch.raw)
    var answer: RadioAnswer?
    link.tell { [unowned link] news in
      if news == .isHere(true) { link.ask([command], at: clock.now()) { answer = $0 } }
    }
    while !isEnding() {
      let now = clock.now()
      link.attend(at: now)
      switch answer {
      case .told(let parts): return WebOrders(parts.flatMap { $0 })
      case .refused(_, let sentence): throw .noOrders(sentence)
      // It is asked again once it is there again.
      case .absent, .silent, nil: break
      }
      let pause = clock.realMilliseconds(max(.zero, link.due - now).milliseconds)
      _ = bk_wait_readable(watch.raw, Int32(min(Int64(pause), 1_000)))
    }
    return nil
  }
}

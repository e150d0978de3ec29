import CLinux
import System
import Units

/// Queries the panel's settings before the panel starts.
enum WebInquiry {
  /// Waits for a radio and returns its settings; nil if `isEnding` returns true before that. An event on `other` wakes
  /// the wait.
  static func ask(
    _ path: String, watching other: Int32, _ clock: Clock, isEnding: () -> Bool
  ) throws(WebError) -> WebOrders? {
    let watch = Descriptor(bk_watch_open())
    if other >= 0 { bk_watch(watch.raw, other, false) }
    let link = RadioLink(path, watch: watch.raw)
    var told: Result<WebOrders, WebError>?
    let orders = WebOrdersWatch(link, clock) { told = $0 }
    while !isEnding() {
      link.attend(at: clock.now())
      orders.attend()
      if let told { return try told.get() }
      let pause = clock.realMilliseconds(max(.zero, link.due - clock.now()).milliseconds)
      _ = bk_wait_readable(watch.raw, Int32(min(Int64(pause), 1_000)))
    }
    return nil
  }
}

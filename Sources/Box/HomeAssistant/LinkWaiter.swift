import CLinux
import System
import Units

/// Waits until a broker's socket is ready or the mailbox wakes the link's thread.
struct LinkWaiter: ~Copyable {
  private let set = Descriptor(bk_watch_open())
  private let mailbox: LinkMailbox
  private let clock: Clock

  init(_ mailbox: LinkMailbox, _ clock: Clock) {
    (self.mailbox, self.clock) = (mailbox, clock)
    bk_watch(set.raw, mailbox.wake.descriptor, false)
  }

  func wait(for connection: BrokerConnection?, until moment: MonotonicTime) {
    let now = clock.now()
    var due = moment
    if let connection, connection.descriptor >= 0 {
      bk_watch_for(set.raw, connection.descriptor, connection.needsInput(at: now), connection.needsRoom)
      due = min(due, connection.due(at: now))
    }
    let rest = due == .never ? Duration.forever : due - now
    _ = bk_wait_readable(set.raw, clock.realMilliseconds(rest.milliseconds))
    mailbox.wake.clear()
  }
}

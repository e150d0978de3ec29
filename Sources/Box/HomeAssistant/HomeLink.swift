import System
import Units

/// The radio's link to Home Assistant through an MQTT broker. The link's thread publishes the radio's state and
/// receives orders. Call all methods on the control thread. Only `finish` waits for the broker.
public final class HomeLink: Sendable {
  private let mailbox = LinkMailbox()
  private let clock: Clock
  private nonisolated(unsafe) var thread: OwnedThread?

  /// Starts to connect. Throws if the kernel refuses the thread.
  public init(_ broker: Broker, _ identity: DeviceIdentity, _ clock: Clock) throws(ThreadError) {
    self.clock = clock
    thread = try OwnedThread("mqtt") { [mailbox] in
      LinkLoop(broker, identity, mailbox, clock).run()
      mailbox.done.raise()
    }
  }

  /// A descriptor that is readable after a new order or a change of `state`. `removeOrders` resets it.
  public var descriptor: Int32 { mailbox.news.descriptor }

  /// The state of the connection.
  public var state: LinkState { mailbox.state }

  /// Publishes a snapshot. An earlier snapshot that is not sent yet is dropped.
  public func post(_ snapshot: RadioSnapshot) { mailbox.post(snapshot) }

  /// Removes and returns the received orders. Orders above a maximum rate are dropped.
  public func removeOrders() -> [HomeOrder] { mailbox.removeOrders(at: clock.now()) }

  /// Time of the next call of `removeOrders`, although `descriptor` is not readable; `never` if no volume waits.
  /// Volumes are delivered at most ten times a second, and the last volume is never lost.
  public var due: MonotonicTime { mailbox.due }

  /// Starts to disconnect and to end the thread, and returns at once. `finish` waits for the end.
  public func stop() { mailbox.end(at: clock.now()) }

  /// Disconnects and waits until the thread ends, at most `patience` after the first `stop`. Call once. A thread that
  /// still waits for name servers continues until the program ends.
  public func finish(within patience: Duration) {
    let end = mailbox.end(at: clock.now()) + patience
    guard let thread = thread.take() else { return }
    if mailbox.done.wait(max(.zero, end - clock.now()), by: clock) { thread.join() } else { thread.abandon() }
  }
}

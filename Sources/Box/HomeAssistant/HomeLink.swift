import System
import Units

/// The radio's link to Home Assistant by an MQTT broker: a thread publishes the radio's state and receives orders.
/// Control thread only. No method waits for the broker except `finish`.
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

  /// Readable when there are orders or `state` changed, until `removeOrders`.
  public var descriptor: Int32 { mailbox.news.descriptor }

  /// The state of the connection.
  public var state: LinkState { mailbox.state }

  /// Publishes a snapshot; replaces an unsent one.
  public func post(_ snapshot: RadioSnapshot) { mailbox.post(snapshot) }

  /// Removes and returns the received orders. Their rate is limited, whatever is sent.
  public func removeOrders() -> [HomeOrder] { mailbox.removeOrders(at: clock.now()) }

  /// Time to take orders although `descriptor` is not readable: volumes are delivered at most ten times a second, the
  /// last one always. `never` if none waits.
  public var due: MonotonicTime { mailbox.due }

  /// Asks the thread to disconnect and end, without waiting; `finish` waits.
  public func stop() { mailbox.end(at: clock.now()) }

  /// Disconnects and ends the thread. Call once. A thread that waits for name servers is left to the end of the
  /// program. `patience` counts from the first `stop`.
  public func finish(within patience: Duration) {
    let end = mailbox.end(at: clock.now()) + patience
    guard let thread = thread.take() else { return }
    if mailbox.done.wait(max(.zero, end - clock.now()), by: clock) { thread.join() } else { thread.abandon() }
  }
}

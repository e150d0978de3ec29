import System
import Units

/// The radio's link to Home Assistant by an MQTT broker: a thread of its own, which tells what the radio does and
/// passes orders on. Whoever holds it never waits for the broker, before its end. The control thread's.
public final class HomeLink: Sendable {
  private let mailbox = LinkMailbox()
  private let clock: Clock
  private nonisolated(unsafe) var thread: OwnedThread?

  /// Starts to connect.
  ///
  /// - Throws: `ThreadError` where the kernel gives no thread.
  public init(_ broker: Broker, _ identity: DeviceIdentity, _ clock: Clock) throws(ThreadError) {
    self.clock = clock
    thread = try OwnedThread("mqtt") { [mailbox] in
      LinkLoop(broker, identity, mailbox, clock).run()
      mailbox.done.raise()
    }
  }

  /// Can be read when there are orders, or the state is another one; until `takeOrders`.
  public var descriptor: Int32 { mailbox.news.descriptor }

  /// How it stands.
  public var state: LinkState { mailbox.state }

  /// Tells what the radio does. What was told before and is not yet sent is forgotten.
  public func post(_ snapshot: RadioSnapshot) { mailbox.post(snapshot) }

  /// Takes the orders that came since the last time: few at a time, whoever sends how many.
  public func takeOrders() -> [HomeOrder] { mailbox.takeOrders(at: clock.now()) }

  /// When to take orders though `descriptor` cannot be read: volumes are given ten times a second at most, and the last
  /// is never lost. `never` where none waits.
  public var due: MonotonicTime { mailbox.due }

  /// Has the thread take leave of the broker and end, and waits for nothing; `finish` does that.
  public func stop() { mailbox.end(at: clock.now()) }

  /// Takes leave of the broker, and ends the thread; once. Name servers that do not answer are not waited for: the
  /// thread is then left to the end of the program. `patience` begins with the first `stop`.
  public func finish(within patience: Duration) {
    let end = mailbox.end(at: clock.now()) + patience
    guard let thread = thread.take() else { return }
    if mailbox.done.wait(max(.zero, end - clock.now()), by: clock) { thread.join() } else { thread.abandon() }
  }
}

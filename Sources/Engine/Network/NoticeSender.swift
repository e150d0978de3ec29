import Blocks
import Units

/// Tells the control thread what happens in a programme. The net thread's.
final class NoticeSender {
  private var outbox: EventOutbox
  /// The programme that is told of.
  private var epoch: UInt32 = 0
  private let raise: () -> Void
  private let onList: (FileList) -> Void
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: EventRing.longest, alignment: 16)

  /// How often room is looked for where there was none.
  private static let pause = Duration(milliseconds: 50)

  /// A sender into a ring; `raise` calls those who read it, and `onList` takes each list that is opened.
  init(_ notices: UnsafePointer<EventRing>, raise: @escaping () -> Void, onList: @escaping (FileList) -> Void) {
    outbox = EventOutbox(notices)
    (self.raise, self.onList) = (raise, onList)
  }

  deinit { scratch.deallocate() }

  /// Begins to tell of a programme; what found no room of another one is forgotten.
  func begin(epoch: UInt32) {
    self.epoch = epoch
    outbox.forget()
  }

  /// Tells something of the programme.
  func send(_ notice: NetNotice) {
    notice.send(by: &outbox, epoch: epoch, scratch: scratch)
    raise()
  }

  /// Tells of a list that was opened.
  func send(_ list: FileList) {
    onList(list)
    send(.listed)
  }

  /// Sends what found no room, if there is some now.
  func flush() {
    if outbox.isEmpty { return }
    outbox.flush()
    raise()
  }

  /// Whether all was sent.
  var isEmpty: Bool { outbox.isEmpty }

  /// When to look for room; never where all was sent.
  func due(at now: MonotonicTime) -> MonotonicTime { outbox.isEmpty ? .never : now + Self.pause }
}

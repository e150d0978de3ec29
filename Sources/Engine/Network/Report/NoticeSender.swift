import Blocks
import Units

/// Sends the notices about a programme to the control thread. Net thread only.
final class NoticeSender {
  private var outbox: EventOutbox
  private var epoch: UInt32 = 0
  private let raise: () -> Void
  private let onList: (FileList) -> Void
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: EventRing.maxPayload, alignment: 16)

  /// Interval of attempts to send while the ring is full.
  private static let pause = Duration(milliseconds: 50)

  /// `raise` wakes the reader of the ring; `onList` receives each opened list.
  init(_ notices: UnsafePointer<EventRing>, raise: @escaping () -> Void, onList: @escaping (FileList) -> Void) {
    outbox = EventOutbox(notices)
    (self.raise, self.onList) = (raise, onList)
  }

  deinit { scratch.deallocate() }

  func begin(epoch: UInt32) {
    self.epoch = epoch
    outbox.forget()
  }

  func send(_ notice: NetNotice) {
    notice.send(by: &outbox, epoch: epoch, scratch: scratch)
    raise()
  }

  func send(_ list: FileList) {
    onList(list)
    send(.listed)
  }

  func flush() {
    if outbox.isEmpty { return }
    outbox.flush()
    raise()
  }

  var isEmpty: Bool { outbox.isEmpty }

  func due(at now: MonotonicTime) -> MonotonicTime { outbox.isEmpty ? .never : now + Self.pause }
}

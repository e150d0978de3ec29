import Synchronization

/// A report of a thread to the control thread.
public protocol Notice: Sendable {
  /// The number of the notice's kind, if the newest notice of the kind is enough; nil if the notice must arrive.
  var kind: Int? { get }
  /// True if the notice makes all older notices of its type obsolete at once, because it is large.
  var replacesOlder: Bool { get }
}

extension Notice {
  /// False by default.
  public var replacesOlder: Bool { false }
}

/// Passes the notices of one thread to the control thread, in order. Any thread.
///
/// A full queue never blocks its writer: an older notice of a kind is dropped and counted. If all notices must arrive,
/// the oldest is dropped.
public final class NoticeQueue<Value: Notice>: Sendable {
  private struct Content {
    var waiting: [(epoch: UInt32, notice: Value)] = []
  }

  private let content = Locked(Content())
  /// Copies for the reader, which then locks only if a notice waits. Written under the lock.
  private let waitingCount = Atomic<Int>(0)
  private let missed = Atomic<Int>(0)
  private let capacity: Int
  private let wake: SharedWakeFlag

  /// Creates an empty queue. Each new notice raises `wake`.
  public init(capacity: Int, wake: SharedWakeFlag) {
    self.capacity = capacity
    self.wake = wake
  }

  /// Number of dropped notices.
  public var missedCount: Int { missed.load(ordering: .relaxed) }

  /// Appends a notice about the programme `epoch`.
  public func append(_ notice: Value, epoch: UInt32) {
    content.withLock {
      if notice.replacesOlder { $0.waiting.removeAll(where: \.notice.replacesOlder) }
      $0.waiting.append((epoch, notice))
      if $0.waiting.count > capacity {
        $0.waiting.remove(at: Self.leastNeeded(of: $0.waiting))
        missed.add(1, ordering: .relaxed)
      }
      waitingCount.store($0.waiting.count, ordering: .releasing)
    }
    wake.flag.raise()
  }

  /// Removes and returns the oldest notice with its programme; nil if no notice waits.
  public func next() -> (epoch: UInt32, notice: Value)? {
    // Without the check, each iteration would lock all queues.
    if waitingCount.load(ordering: .acquiring) == 0 { return nil }
    return content.withLock {
      guard !$0.waiting.isEmpty else { return nil }
      waitingCount.store($0.waiting.count - 1, ordering: .releasing)
      return $0.waiting.removeFirst()
    }
  }

  /// Returns the oldest notice with a newer one of its kind; otherwise the oldest that may be missed, or the oldest.
  private static func leastNeeded(of waiting: [(epoch: UInt32, notice: Value)]) -> Int {
    let kinds = waiting.map(\.notice.kind)
    let replaced = kinds.indices.first { kinds[$0] != nil && kinds[($0 + 1)...].contains(kinds[$0]) }
    return replaced ?? kinds.firstIndex { $0 != nil } ?? 0
  }
}

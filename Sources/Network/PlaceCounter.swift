import Blocks
import Framing
import Units

/// Counts a file's packets between a place whose time is known and the window that began by a guess, beside its
/// download: then it is known to the packet where the sound is (O3). The net thread's.
final class PlaceCounter {
  private unowned let receiver: Receiver
  /// Nil before the engine has taken it up.
  var transfer: Transfer?
  private let intake: StreamIntake
  private let from: Int
  private let goal: Int
  /// When the packet sounds that comes next.
  private var clock: StreamTime
  private var hasArrived = false
  /// When it is called off, unless bytes come before.
  private(set) var due: MonotonicTime
  /// What of the stretch is still to come.
  private var left: Int

  init(_ receiver: Receiver, from place: CountedPlaces.Place, to goal: Int, at now: MonotonicTime) {
    self.receiver = receiver
    due = now + Receiver.longestLook
    left = goal - place.byte + Self.behind
    self.goal = goal
    (from, clock) = (place.byte, place.time)
    intake = StreamIntake(fileFrom: place.byte)
  }

  /// Calls it off.
  func cancel() { transfer?.cancel() }

  /// What is asked for: the stretch, and enough behind it to know its last packet for one.
  var range: (firstByte: Int, byteCount: Int) { (from, goal - from + Self.behind) }

  private static let behind = 8_192
}

extension PlaceCounter: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    receiver.isPart(head, from: Int64(from)) ? .go : .stop
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    intake.take(bytes, self)
    due = receiver.now + Receiver.longestLook
    left -= bytes.count
    // A server may send more than was asked for, and for ever.
    if hasArrived || left <= 0 { cancel() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { receiver.counted(self) }
}

extension PlaceCounter: StreamTaker {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    guard !hasArrived, receiver.placeCounter === self else { return }
    guard info.byteOffset < goal else {
      hasArrived = true
      // Another packet where the window's first is to be: what was counted is not what is heard.
      if info.byteOffset == goal { receiver.settlePlace(at: clock) }
      return
    }
    receiver.file?.count(info.byteOffset, at: clock)
    clock += info.duration
  }

  func take(metadata block: Span<UInt8>) {}
}

extension Receiver {
  /// Begins to count, where the window began by a guess.
  func countPlace() {
    guard placeCounter == nil, facts?.isSeekable == true, !isPlain, let known = file,
      let stretch = known.stretchToCount, let address = candidates?.current.address
    else { return }
    let counter = PlaceCounter(self, from: stretch.from, to: stretch.to, at: now)
    var http = plainRequest(for: address)
    http.firstByte = Int64(counter.range.firstByte)
    http.byteCount = Int64(counter.range.byteCount)
    http.ifRange = known.validator
    http.receiveBuffer = FileDownload.receiveBuffer
    counter.transfer = try? engine.start(http, handler: counter)
    if counter.transfer != nil { placeCounter = counter }
  }

  /// Calls a count off.
  func endCounting() {
    placeCounter?.cancel()
    placeCounter = nil
  }

  /// Whether an answer is a part of the file as it is known, from that byte on.
  func isPart(_ head: HttpHead, from byte: Int64) -> Bool {
    guard let file, head.status == 206, head.contentRangeStart == byte else { return false }
    return !file.differs(from: head) && !file.isCoded(head)
  }

  /// It is known when the window's first packet sounds.
  func settlePlace(at time: StreamTime) {
    guard let further = file?.settle(at: time), further != .zero else { return }
    tell(.placed(by: further))
  }

  /// A count is over, whatever came of it; it is not tried again before the next jump.
  func counted(_ counter: PlaceCounter) {
    guard counter === placeCounter else { return }
    counter.transfer = nil
  }
}

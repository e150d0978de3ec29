import Blocks
import Framing
import System
import Units

/// Counts a file's packets between a place whose time is known and the window that began by a guess, beside its
/// download: then it is known to the packet where the sound is (O3). The net thread's.
final class ExactSeekScanner {
  private let clock: Clock
  private let file: FileTransfer
  private var calls: Calls?
  private var transfer: Transfer?
  private let intake: StreamIntake
  private let from: Int
  private let goal: Int
  /// When the packet sounds that comes next.
  private var time: StreamTime
  private var hasArrived = false
  /// When it is called off, unless bytes come before.
  private(set) var due: MonotonicTime
  /// What of the stretch is still to come.
  private var left: Int

  /// Whom to tell.
  private struct Calls {
    var onArrival: (StreamTime) -> Void
    var onEnd: () -> Void
  }

  /// Asks `engine` by `request` for the bytes of `file` from `point` to the byte `goal`. `onArrival` takes the time at
  /// which the packet there sounds, `onEnd` is told when it is over.
  ///
  /// - Throws: As for `HttpEngine.start`.
  init(
    _ file: FileTransfer, from point: ExactSeekIndex.Point, to goal: Int, _ request: HttpRequest, _ engine: HttpEngine,
    at now: MonotonicTime, onArrival: @escaping (StreamTime) -> Void, onEnd: @escaping () -> Void
  ) throws(NetworkError) {
    (clock, self.file, self.goal) = (engine.clock, file, goal)
    calls = Calls(onArrival: onArrival, onEnd: onEnd)
    due = now + FileLooks.longest
    left = goal - point.byte + Self.behind
    (from, time) = (point.byte, point.time)
    intake = StreamIntake(fileFrom: point.byte)
    var http = request
    http.firstByte = Int64(from)
    http.byteCount = Int64(left)
    http.ifRange = file.validator
    http.receiveBuffer = FileTransfer.receiveBuffer
    transfer = try engine.start(http, handler: self)
  }

  /// Calls it off; its end is told.
  func end() { transfer?.cancel() }

  /// Calls it off, and tells nothing more.
  func cancel() {
    calls = nil
    end()
  }

  /// What is asked for behind the stretch: enough to know its last packet for one.
  private static let behind = 8_192
}

extension ExactSeekScanner: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict { file.isPart(head, from: Int64(from)) ? .go : .stop }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    intake.take(bytes, self)
    due = clock.now() + FileLooks.longest
    left -= bytes.count
    // A server may send more than was asked for, and for ever.
    if hasArrived || left <= 0 { end() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    let told = calls
    calls = nil
    told?.onEnd()
  }
}

extension ExactSeekScanner: StreamTaker {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    guard !hasArrived, let calls else { return }
    guard info.byteOffset < goal else {
      hasArrived = true
      // Another packet where the window's first is to be: what was counted is not what is heard.
      if info.byteOffset == goal { calls.onArrival(time) }
      return
    }
    file.count(info.byteOffset, at: time)
    time += info.duration
  }

  func take(metadata block: Span<UInt8>) {}
}

import Blocks
import Framing
import Http
import System
import Units

/// Counts the packets from an exact seek point to the start of the window, in parallel to the download. This makes an
/// estimated start time exact to the packet (O3). Net thread only.
final class ExactSeekScanner {
  private let clock: Clock
  private let file: FileTransfer
  private var calls: Calls?
  private var transfer: Transfer?
  private let intake: StreamIntake
  private let from: Int
  private let goal: Int
  private var time: StreamTime
  private var hasArrived = false
  /// The timeout, extended when bytes arrive.
  private(set) var due: MonotonicTime
  private var remainingByteCount: Int

  private struct Calls {
    var onArrival: (StreamTime) -> Void
    var onEnd: () -> Void
  }

  /// `onArrival`: receives the start time of the packet at `goal`. `onEnd`: called at the end, except after `cancel`.
  init(
    _ file: FileTransfer, from point: ExactSeekIndex.Point, to goal: Int, _ request: HttpRequest, _ engine: HttpEngine,
    at now: MonotonicTime, onArrival: @escaping (StreamTime) -> Void, onEnd: @escaping () -> Void
  ) throws(NetworkError) {
    (clock, self.file, self.goal) = (engine.clock, file, goal)
    calls = Calls(onArrival: onArrival, onEnd: onEnd)
    due = now + FileSideRequests.maxDuration
    remainingByteCount = goal - point.byte + Self.trailingByteCount
    (from, time) = (point.byte, point.time)
    intake = StreamIntake(fileFrom: point.byte)
    var http = request
    http.firstByte = Int64(from)
    http.byteCount = Int64(remainingByteCount)
    http.ifRange = file.validator
    http.receiveBuffer = FileTransfer.receiveBuffer
    transfer = try engine.start(http, handler: self)
  }

  /// Cancels the request; `onEnd` is still called.
  func end() { transfer?.cancel() }

  func cancel() {
    calls = nil
    end()
  }

  /// Bytes requested after `goal`, enough for the parser to recognise the packet there.
  private static let trailingByteCount = 8_192
}

extension ExactSeekScanner: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict { file.isPart(head, from: Int64(from)) ? .go : .stop }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    intake.process(bytes, self)
    due = clock.now() + FileSideRequests.maxDuration
    remainingByteCount -= bytes.count
    // A server may send more than requested, without end.
    if hasArrived || remainingByteCount <= 0 { end() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    let told = calls
    calls = nil
    told?.onEnd()
  }
}

extension ExactSeekScanner: StreamReceiver {
  func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?) {
    guard !hasArrived, let calls else { return }
    guard info.byteOffset < goal else {
      hasArrived = true
      // Without a packet at `goal`, the counted packets are not those that play.
      if info.byteOffset == goal { calls.onArrival(time) }
      return
    }
    file.count(info.byteOffset, at: time)
    time += info.duration
  }
}

import Blocks
import Framing
import Http
import System
import Units

/// Counts the packets from an exact seek point to the start of the window, in parallel to the download. This makes an
/// estimated start time exact to the packet (O3). Net thread only.
final class ExactSeekScanner: SideReader {
  private let clock: Clock
  private let file: FileTransfer
  private var onArrival: ((StreamTime) -> Void)?
  private var onEnd: (() -> Void)?
  private var transfer: Transfer?
  private let intake: StreamIntake
  private let from: Int
  private let goal: Int
  private var time: StreamTime
  private var hasArrived = false
  /// The timeout, extended when bytes arrive.
  private(set) var due: MonotonicTime
  private var remainingByteCount: Int

  /// `onArrival`: receives the start time of the packet at `goal`. `onEnd`: called at the end, except after `cancel`.
  init(
    _ file: FileTransfer, _ stretch: (from: ExactSeekIndex.Point, to: Int), _ request: HttpRequest,
    _ engine: HttpEngine, at now: MonotonicTime, onArrival: @escaping (StreamTime) -> Void,
    onEnd: @escaping () -> Void
  ) throws(NetworkError) {
    (clock, self.file, goal) = (engine.clock, file, stretch.to)
    (self.onArrival, self.onEnd) = (onArrival, onEnd)
    due = now + Self.maxDuration
    remainingByteCount = goal - stretch.from.byte + Self.trailingByteCount
    (from, time) = (stretch.from.byte, stretch.from.time)
    intake = StreamIntake(fileFrom: from)
    var http = request
    http.firstByte = Int64(from)
    http.byteCount = Int64(remainingByteCount)
    http.ifRange = file.validator
    http.receiveBuffer = FileTransfer.receiveBuffer
    transfer = try engine.start(http, handler: self)
  }

  func end() { transfer?.cancel() }

  func cancel() {
    (onArrival, onEnd) = (nil, nil)
    end()
  }

  /// Bytes requested after `goal`, enough for the parser to recognise the packet there.
  private static let trailingByteCount = 8_192
}

extension ExactSeekScanner: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict { file.isPart(head, from: Int64(from)) ? .go : .stop }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    intake.process(bytes, self)
    due = clock.now() + Self.maxDuration
    remainingByteCount -= bytes.count
    // A server may send more than requested, without end.
    if hasArrived || remainingByteCount <= 0 { end() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    onArrival = nil
    onEnd.take()?()
  }
}

extension ExactSeekScanner: StreamReceiver {
  func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?) {
    guard !hasArrived, let onArrival else { return }
    guard info.byteOffset < goal else {
      hasArrived = true
      // Without a packet at `goal`, the counted packets are not those that play.
      if info.byteOffset == goal { onArrival(time) }
      return
    }
    // The header of a part has no audio.
    if XingHeader.isPresent(in: bytes.bindMemory(to: UInt8.self).span) { return }
    file.count(info.byteOffset, at: time)
    time += info.duration
  }
}

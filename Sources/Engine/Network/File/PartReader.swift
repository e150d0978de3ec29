import Framing
import Http
import Units

/// Searches a file for its parts during its download, by one small request after the other. Net thread only.
final class PartReader: SideReader {
  private let file: FileTransfer
  /// Weak: the engine retains its transfers, and a transfer retains this reader.
  private weak var engine: HttpEngine?
  private let request: HttpRequest
  private(set) var finder: PartFinder
  private let total: Int
  private var onEnd: ((PartFinder.Outcome) -> Void)?
  private var transfer: Transfer?
  private var bytes: [UInt8] = []
  let due: MonotonicTime

  /// Maximum duration of a search.
  static let maxDuration = Duration(milliseconds: 3_000)

  /// `onEnd`: receives the result, except after `cancel`.
  init(
    _ file: FileTransfer, _ finder: PartFinder, _ request: HttpRequest, _ engine: HttpEngine, at now: MonotonicTime,
    onEnd: @escaping (PartFinder.Outcome) -> Void
  ) throws(NetworkError) {
    (self.file, self.finder) = (file, finder)
    (self.request, self.engine) = (request, engine)
    total = file.byteCount ?? 0
    due = now + Self.maxDuration
    transfer = try start(engine)
    self.onEnd = onEnd
  }

  private func start(_ engine: HttpEngine) throws(NetworkError) -> Transfer? {
    guard let probe = finder.probe else { return nil }
    bytes = []
    var http = request
    http.firstByte = Int64(probe.byte)
    http.byteCount = Int64(probe.byteCount)
    http.ifRange = file.validator
    http.receiveBuffer = FileTransfer.receiveBuffer
    return try engine.start(http, handler: self)
  }

  func end() {
    finder.stop()
    guard let transfer else { return reportOutcome() }
    transfer.cancel()
  }

  private func reportOutcome() { if let outcome = finder.outcome { onEnd.take()?(outcome) } }

  func cancel() {
    onEnd = nil
    end()
  }
}

extension PartReader: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    guard let probe = finder.probe, file.isPart(head, from: Int64(probe.byte)) else { return .stop }
    return .go
  }

  func transferDidReceive(_ more: Span<UInt8>) -> Flow {
    guard let probe = finder.probe else { return .taken }
    let isExcess = more.count > probe.byteCount - bytes.count
    for index in more.indices where bytes.count < probe.byteCount { bytes.append(more[index]) }
    // A server may send more than requested, without end.
    if isExcess { transfer?.cancel() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    if let probe = finder.probe, bytes.count == probe.byteCount {
      finder.process(PartSample(bytes.span, at: probe.byte, total: total))
    } else {
      finder.stop()
    }
    if finder.outcome == nil, onEnd != nil, let engine {
      transfer = try? start(engine)
      if transfer != nil { return }
      finder.stop()
    }
    reportOutcome()
  }
}

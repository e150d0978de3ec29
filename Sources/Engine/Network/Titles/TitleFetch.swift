import Framing
import Http
import Listings

/// One request to a title feed. The response, at most 1 MB, is parsed while it arrives. Net thread only.
final class TitleFetch {
  private weak var poller: TitlePoller?
  var transfer: Transfer?
  private var reader: NowPlayingFeedReader?
  /// Bytes that may be read before the stream must be served again.
  private var allowance = TitleFetch.turn
  private static let turn = 32_768

  /// `encoding`: the station's setting, for a feed that declares no encoding.
  init(_ poller: TitlePoller, encoding: String?) {
    self.poller = poller
    reader = NowPlayingFeedReader(encoding: encoding)
  }

  func cancel() { transfer?.cancel() }

  func resume() {
    allowance = Self.turn
    transfer?.resume()
  }

  private func finish() -> NowPlayingFeed? {
    guard let reader = reader.take() else { return nil }
    return try? reader.finish()
  }
}

extension TitleFetch: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    let isTooLong = head.contentLength.map { $0 > Int64(NowPlayingFeedReader.byteLimit) } ?? false
    return 200..<300 ~= head.status && !isTooLong ? .go : .stop
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    // A fast feed must not delay the stream.
    guard allowance > 0 else { return .pause }
    allowance -= bytes.count
    reader?.append(bytes)
    if reader?.isTooLarge == true { cancel() }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) {
    transfer = nil
    poller?.finish(self, end == .complete ? finish() : nil)
  }
}

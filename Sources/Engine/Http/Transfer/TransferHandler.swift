/// Receives the events of a transfer. All calls come from within `HttpEngine.step`, on the engine's thread.
///
/// A handler may start, cancel and resume transfers within any call, but must not call `step`.
public protocol TransferHandler: AnyObject {
  /// Called once with the head of the final response, before the first byte. Not called for redirects and interim
  /// responses.
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict

  /// Called with bytes of the body, in order. The span is valid only during the call.
  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow

  /// Called once when the transfer is over, as the last call.
  func transferDidEnd(_ end: TransferEnd)
}

/// Decision of a handler after the head.
public enum HeadVerdict: Sendable {
  /// Receive the body.
  case go
  /// Cancel the transfer.
  case stop
}

/// Reply of a handler to received bytes.
public enum Flow: Sendable {
  /// All bytes are processed.
  case taken
  /// Refused: the same bytes are delivered again after `Transfer.resume`, perhaps with more bytes.
  case pause
}

/// Result of a transfer.
public enum TransferEnd: Equatable, Sendable {
  /// The server ended the response properly, with its full Content-Length.
  case complete
  /// The transfer failed. A body shorter than its Content-Length is `closedEarly`.
  case failed(NetworkError)
}

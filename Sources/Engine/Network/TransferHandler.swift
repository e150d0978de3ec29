/// The receiving side of a transfer; every call comes on the engine's thread, from within `HttpEngine.step`.
///
/// A handler may start, cancel and resume transfers from within any call; it does not call `step`.
public protocol TransferHandler: AnyObject {
  /// The head of the final answer came: once, before the first byte; never for a redirect or an interim answer.
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict

  /// Bytes of the body came, in order, valid for this call only.
  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow

  /// The transfer is over: once, the last call.
  func transferDidEnd(_ end: TransferEnd)
}

/// Whether a transfer goes on after its head.
public enum HeadVerdict: Sendable {
  /// The body is wanted.
  case go
  /// It is not; the transfer ends as cancelled.
  case stop
}

/// What a handler did with bytes.
public enum Flow: Sendable {
  /// It has them all.
  case taken
  /// It took none; the same bytes come again, perhaps with more behind them, after `Transfer.resume`.
  case pause
}

/// How a transfer ended.
public enum TransferEnd: Equatable, Sendable {
  /// The server ended the answer properly, and no byte of a told length is missing.
  case complete
  /// It broke; a body shorter than its Content-Length is `closedEarly`.
  case failed(NetworkError)
}

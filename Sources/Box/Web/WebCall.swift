/// A request that waits for its answer.
final class WebCall {
  let head: WebHead
  private(set) var body = WebBody()
  /// The answer, once it is there.
  private(set) var reply: WebReply?
  /// Called when it is there later.
  var onReply: () -> Void = {}

  init(_ head: WebHead) { self.head = head }

  /// Takes a piece of the body.
  func take(_ piece: UnsafeRawBufferPointer) { body.take(piece) }

  /// Answers; only the first answer counts.
  func answer(_ reply: WebReply) {
    guard self.reply == nil else { return }
    self.reply = reply
    onReply()
  }

  /// Refuses.
  func answer(_ fault: ApiFault) { answer(WebReply(fault)) }
}

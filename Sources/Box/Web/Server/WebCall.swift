final class WebCall {
  let head: WebHead
  private(set) var body = WebBody()
  private(set) var reply: WebReply?
  var onReply: () -> Void = {}

  init(_ head: WebHead) { self.head = head }

  func append(_ piece: UnsafeRawBufferPointer) { body.append(piece) }

  func answer(_ reply: WebReply) {
    guard self.reply == nil else { return }
    self.reply = reply
    onReply()
  }

  func answer(_ fault: ApiFault) { answer(WebReply(fault)) }
}

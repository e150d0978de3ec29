/// A request on its way, from its head to the end of its answer.
final class WebExchange {
  let visitor: Visitor
  let call: WebCall
  /// What it is for, or why it is refused once it is there as a whole.
  var verdict: Result<WebSite.Target, ApiFault> = .failure(.notFound)
  /// Whether it was there as a whole, and is being answered.
  var isAnswered = false

  init(_ visitor: Visitor, _ head: WebHead) { (self.visitor, call) = (visitor, WebCall(head)) }

  /// Takes a piece of the body; nothing is kept of one that is refused.
  func take(_ piece: UnsafeRawBufferPointer) { if case .success = verdict { call.take(piece) } }
}

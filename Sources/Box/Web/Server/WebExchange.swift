/// A request from its head to the end of its response.
final class WebExchange {
  let visitor: Visitor
  let call: WebCall
  /// The target of the request; or the fault to send when the request is complete.
  var verdict: Result<WebSite.Target, ApiFault> = .failure(.notFound)
  /// True if the request is complete and a response is on its way.
  var isAnswered = false

  init(_ visitor: Visitor, _ head: WebHead) { (self.visitor, call) = (visitor, WebCall(head)) }

  func append(_ piece: UnsafeRawBufferPointer) { if case .success = verdict { call.append(piece) } }
}

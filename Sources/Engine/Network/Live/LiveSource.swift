/// A live station with one endless response. Net thread only.
final class LiveSource: ProgrammeSource {
  let handler: ConnectionHandler

  var isLive: Bool { true }

  var hasEnd: Bool { false }

  var isAtEase: Bool { handler.stream.isAtEase }

  init(_ handler: ConnectionHandler) { self.handler = handler }
}

/// Audio with an end, but without a known relation of time and bytes, so parts cannot be requested. Net thread only.
final class FiniteSource: ProgrammeSource {
  let handler: ConnectionHandler

  var isLive: Bool { false }

  var hasEnd: Bool { true }

  var allowsReconnect: Bool { false }

  init(_ handler: ConnectionHandler) { self.handler = handler }
}

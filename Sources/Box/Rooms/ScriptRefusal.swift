/// The reason why a control script refuses a request.
enum ScriptRefusal: Error, Equatable {
  case unreadable
  case noRequest
  case unknownMethod
  case wrongParameters
  case unknownCommand
  case unknownProperty
  case busy
  case livePosition
  case noRadio(String)
  case radio(String)

  /// The error code of JSON-RPC 2.0 (section 5.1); -32000 if JSON-RPC has no code for the reason.
  var code: Int {
    switch self {
    case .unreadable: -32_700
    case .noRequest: -32_600
    case .unknownMethod: -32_601
    case .wrongParameters, .unknownCommand, .unknownProperty: -32_602
    case .busy, .livePosition, .noRadio, .radio: -32_000
    }
  }

  var name: String {
    switch self {
    case .unreadable: "Parse error"
    case .noRequest: "Invalid Request"
    case .unknownMethod: "Method not found"
    case .wrongParameters, .unknownCommand, .unknownProperty: "Invalid params"
    case .busy, .livePosition, .noRadio, .radio: "Server error"
    }
  }

  var sentence: String {
    switch self {
    case .unreadable: "The line is not JSON, or larger than a request may be."
    case .noRequest: "This is not a request of JSON-RPC 2.0."
    case .unknownMethod: "Bakelite supports the methods Control, SetProperty and GetProperties of Plugin.Stream.Player."
    case .wrongParameters: "A parameter is missing, or out of its range."
    case .unknownCommand: "Bakelite supports play, pause, playPause, stop, next, previous, seek and setPosition."
    case .unknownProperty: "Only the volume can be set."
    case .busy: "The radio has not finished earlier requests yet."
    case .livePosition: "A live station has no position; seek moves relative to the current time."
    case .noRadio(let sentence): sentence
    case .radio(let message): "The radio refused: \(message)"
    }
  }
}

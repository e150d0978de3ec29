import Json

/// A JSON-RPC 2.0 request of a Snapcast server to a stream's control script.
struct ScriptRequest: Equatable {
  enum Identity: Equatable {
    case number(Int)
    case text(String)
    case null
    case none
  }

  enum Call: Equatable {
    case properties
    case control(Command)
    /// Set the radio's volume, 0 … 100.
    case volume(Int)
  }

  enum Command: Equatable {
    case play, pause, playPause, stop, next, previous
    /// Seek by this number of seconds; negative to seek back.
    case seek(Double)
    /// Seek to a position in seconds.
    case setPosition(Double)
  }

  let identity: Identity
  let call: Result<Call, ScriptRefusal>

  /// Limits of a request. A request from snapserver needs a tenth of these limits.
  private static let limits: JsonValue.Limits = {
    var limits = JsonValue.Limits()
    (limits.depth, limits.values) = (8, 64)
    return limits
  }()
  private static let maxIdentityLength = 100
  /// Maximum offset or position of a seek, in seconds.
  private static let maxSeconds = 1e8

  init(_ line: Span<UInt8>) {
    let value: JsonValue
    do throws(JsonError) { value = try JsonValue(line, limits: Self.limits) } catch {
      (identity, call) = (.null, .failure(.unreadable))
      return
    }
    identity = Self.identity(value)
    call = Self.call(value)
  }

  private static func identity(_ value: JsonValue) -> Identity {
    guard let id = value["id"] else { return value["method"] == nil ? .null : .none }
    if let number = id.integer(in: -(1 << 53)...1 << 53) { return .number(number) }
    guard let text = id.string, text.utf8.count <= maxIdentityLength else { return .null }
    return .text(text)
  }

  private static func call(_ value: JsonValue) -> Result<Call, ScriptRefusal> {
    guard let method = value["method"]?.string else { return .failure(.noRequest) }
    let parameters = value["params"]
    switch method {
    case "Plugin.Stream.Player.GetProperties": return .success(.properties)
    case "Plugin.Stream.Player.Control":
      guard let name = parameters?["command"]?.string else { return .failure(.wrongParameters) }
      return command(name.lowercased(), parameters?["params"]).map { .control($0) }
    case "Plugin.Stream.Player.SetProperty":
      guard let volume = parameters?["volume"] else { return .failure(.unknownProperty) }
      guard let percent = volume.integer(in: 0...100) else { return .failure(.wrongParameters) }
      return .success(.volume(percent))
    default: return .failure(.unknownMethod)
    }
  }

  /// Parses a command name in lower case. Snapcast's documents write names with a capital, but snapserver sends small
  /// letters.
  private static func command(_ name: String, _ parameters: JsonValue?) -> Result<Command, ScriptRefusal> {
    switch name {
    case "play": return .success(.play)
    case "pause": return .success(.pause)
    case "playpause": return .success(.playPause)
    case "stop": return .success(.stop)
    case "next": return .success(.next)
    case "previous": return .success(.previous)
    case "seek":
      guard let offset = seconds(parameters, "offset", "Offset") else { return .failure(.wrongParameters) }
      return .success(.seek(offset))
    case "setposition":
      guard let position = seconds(parameters, "position", "Position"), position >= 0 else {
        return .failure(.wrongParameters)
      }
      return .success(.setPosition(position))
    default: return .failure(.unknownCommand)
    }
  }

  private static func seconds(_ parameters: JsonValue?, _ names: String...) -> Double? {
    let values = names.compactMap { parameters?[$0]?.number }
    return values.first.flatMap { abs($0) <= maxSeconds ? $0 : nil }
  }
}

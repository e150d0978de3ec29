import Framing
import Units

/// A stream's control script between a Snapcast server and the radio, without I/O. The script exchanges JSON-RPC 2.0
/// lines with the server, and MPD lines with the radio. After each change, it queries the radio's state; if the state
/// differs, it sends the state to the server. If the radio is not connected, it reports `stopped` and refuses commands.
/// All buffers are bounded. One thread.
public struct ControlScript {
  /// Error: the peer does not use the radio's protocol.
  public struct Nonsense: Error, Equatable, Sendable {}

  private var radio = RadioDialogue()
  private var facts = PlayerFacts()
  private var sent = PlayerFacts()
  private var output: String
  /// The reason why the radio is not connected; nil while it is connected.
  private var absence: String? = "The radio is not there yet."

  /// Maximum size of pending output in bytes. While the output is larger, requests are not read.
  private static let maxOutputBytes = 65_536

  /// Creates a script and queues the server's ready notification.
  public init() {
    output = Self.line(["method": "Plugin.Stream.Ready"])
  }

  // MARK: Server

  /// True if the caller may read requests.
  public var acceptsRequests: Bool { output.utf8.count < Self.maxOutputBytes }

  /// Removes and returns the lines for the server, each with its line feed. Several changes of the state result in one
  /// report.
  public mutating func removeOutput() -> String {
    if facts.lasting != sent {
      sent = facts.lasting
      output += Self.line(["method": "Plugin.Stream.Player.Properties", "params": facts.json])
    }
    defer { output = "" }
    return output
  }

  /// Processes a line from the server, without its line feed.
  public mutating func process(request line: Span<UInt8>) {
    let request = ScriptRequest(line)
    do throws(ScriptRefusal) {
      let call = try request.call.get()
      if call == .properties {
        let properties = facts.json
        sent = facts.lasting
        return answer(request.identity, "result", properties)
      }
      if let absence { throw ScriptRefusal.noRadio(absence) }
      let order = RadioDialogue.Order(line: try command(call), identity: request.identity)
      if !radio.enqueue(order) { throw ScriptRefusal.busy }
    } catch {
      refuse(request.identity, error)
    }
  }

  /// Refuses a line from the server that exceeds the maximum length.
  public mutating func refuseOverlongRequest() { refuse(.null, .unreadable) }

  private func command(_ call: ScriptRequest.Call) throws(ScriptRefusal) -> String {
    switch call {
    case .properties: preconditionFailure("it is answered without the radio")
    case .volume(let percent): return "setvol \(percent)"
    case .control(.play): return "play"
    case .control(.pause): return "pause 1"
    case .control(.playPause): return facts.playback == .playing ? "pause 1" : "play"
    case .control(.stop): return "stop"
    case .control(.next): return "next"
    case .control(.previous): return "previous"
    case .control(.seek(let offset)): return "seekcur \(offset < 0 ? "-" : "+")\(abs(offset).threeDecimals)"
    case .control(.setPosition(let position)):
      if facts.isLive == true { throw .livePosition }
      return "seekcur \(position.threeDecimals)"
    }
  }

  private mutating func refuse(_ identity: ScriptRequest.Identity, _ refusal: ScriptRefusal) {
    // Without the member `data`, snapserver 0.26 and 0.31 do not reply to the client.
    let error: JsonLine = ["code": refusal.code, "message": refusal.name, "data": refusal.sentence]
    answer(identity, "error", error)
  }

  private mutating func answer(_ identity: ScriptRequest.Identity, _ name: String, _ value: any JsonMember) {
    switch identity {
    case .number(let number): output += Self.line(["id": number, name: value])
    case .text(let text): output += Self.line(["id": text, name: value])
    case .null: output += Self.line(["id": nil as Int?, name: value])
    case .none: break
    }
  }

  private static func line(_ members: KeyValuePairs<String, any JsonMember>) -> String {
    var line: JsonLine = ["jsonrpc": "2.0"]
    line.add(members)
    return line.line + "\n"
  }

  // MARK: Radio

  /// Time of the next action without input; `MonotonicTime.never` if no action is due.
  public var due: MonotonicTime { radio.due }

  /// True if the radio's reply is overdue.
  public func isSilent(at now: MonotonicTime) -> Bool { radio.isSilent(at: now) }

  /// Starts the dialogue on a new connection to the radio.
  public mutating func begin(at now: MonotonicTime) {
    absence = nil
    radio.begin(at: now)
  }

  /// Ends the dialogue after the connection to the radio ended or failed. `reason`: a sentence for the clients.
  public mutating func end(_ reason: String) {
    absence = DisplayText.clean(reason)
    for order in radio.end() { refuse(order.identity, .noRadio(absence ?? "")) }
    facts = PlayerFacts()
  }

  /// Removes and returns the lines for the radio, each with its line feed.
  public mutating func removeCommands(at now: MonotonicTime) -> String {
    radio.sendNext(at: now)
    return radio.removeOutgoing()
  }

  /// Processes a line from the radio, without its line feed. Throws if the peer is not a radio; the caller then closes
  /// the connection.
  public mutating func process(radio line: String) throws(Nonsense) {
    do throws(RadioDialogue.Nonsense) {
      switch try radio.process(line) {
      case .facts(let facts): self.facts = facts
      case .done(let order, let refusal?): refuse(order.identity, .radio(DisplayText.clean(refusal)))
      case .done(let order, refusal: nil): answer(order.identity, "result", "ok")
      case nil: break
      }
    } catch { throw Nonsense() }
  }
}

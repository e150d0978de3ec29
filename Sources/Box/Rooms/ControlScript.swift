import Framing
import Units

/// A stream's control script between a Snapcast server and the radio, without their descriptors: lines of JSON-RPC 2.0
/// on the one side, the MPD protocol on the other.
///
/// All that it keeps is bounded. When the radio tells of a change, it asks what plays, and tells the server if that
/// differs from what it told last. Without a radio it tells `stopped`, and refuses orders. It belongs to one thread.
public struct ControlScript {
  /// What came is not of a radio.
  public struct Nonsense: Error, Equatable, Sendable {}

  private var radio = RadioDialogue()
  private var facts = PlayerFacts()
  private var told = PlayerFacts()
  private var output: String
  /// Why there is no radio; nil while there is one.
  private var absence: String? = "The radio is not there yet."

  /// While so much waits to be written to the server, its requests are not read.
  private static let mostOutput = 65_536

  /// A script that tells the server that it is ready.
  public init() {
    output = Self.line { $0.add("method", "Plugin.Stream.Ready") }
  }

  // MARK: The server's side

  /// Whether the server's requests are to be read.
  public var takesRequests: Bool { output.utf8.count < Self.mostOutput }

  /// What is to be written to the server: lines, each with its end. What plays is told once, however often it changed
  /// since it was told.
  public mutating func takeOutput() -> String {
    if facts.lasting != told {
      told = facts.lasting
      output += Self.line { line in
        line.add("method", "Plugin.Stream.Player.Properties")
        line.add("params", facts.json)
      }
    }
    defer { output = "" }
    return output
  }

  /// Takes a line of the server, without its end.
  public mutating func hear(request line: Span<UInt8>) {
    let request = ScriptRequest(line)
    do throws(ScriptRefusal) {
      let call = try request.call.get()
      if call == .properties {
        let properties = facts.json
        told = facts.lasting
        return answer(request.identity) { $0.add("result", properties) }
      }
      if let absence { throw ScriptRefusal.noRadio(absence) }
      let order = RadioDialogue.Order(line: try command(call), identity: request.identity)
      if !radio.give(order) { throw ScriptRefusal.busy }
    } catch {
      refuse(request.identity, error)
    }
  }

  /// The server sent a line that is longer than any request.
  public mutating func hearOverlongRequest() { refuse(.null, .unreadable) }

  /// The command of the MPD protocol.
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
    case .control(.seek(let offset)): return "seekcur \(offset < 0 ? "-" : "+")\(Self.seconds(abs(offset)))"
    case .control(.setPosition(let position)):
      if facts.isLive == true { throw .livePosition }
      return "seekcur \(Self.seconds(position))"
    }
  }

  /// A number of seconds with three decimals; it is bounded.
  private static func seconds(_ value: Double) -> String {
    let thousandths = Int((value * 1_000).rounded())
    return "\(thousandths / 1_000).\(String(thousandths % 1_000 + 1_000).dropFirst())"
  }

  private mutating func refuse(_ identity: ScriptRequest.Identity, _ refusal: ScriptRefusal) {
    var error = JsonLine()
    error.add("code", refusal.code)
    error.add("message", refusal.name)
    // Without this snapserver 0.26 and 0.31 leave whoever asked without an answer.
    error.add("data", refusal.sentence)
    answer(identity) { $0.add("error", error) }
  }

  private mutating func answer(_ identity: ScriptRequest.Identity, _ add: (inout JsonLine) -> Void) {
    if identity == .none { return }
    output += Self.line { line in
      switch identity {
      case .number(let number): line.add("id", number)
      case .text(let text): line.add("id", text)
      case .null, .none: line.add("id", nil as Int?)
      }
      add(&line)
    }
  }

  private static func line(_ add: (inout JsonLine) -> Void) -> String {
    var line = JsonLine()
    line.add("jsonrpc", "2.0")
    add(&line)
    return line.line + "\n"
  }

  // MARK: The radio's side

  /// When something is to be done though nothing came; `MonotonicTime.never` where nothing is.
  public var due: MonotonicTime { radio.due }

  /// Whether the radio has not answered in time.
  public func isSilent(at now: MonotonicTime) -> Bool { radio.isSilent(at: now) }

  /// There is a connection to the radio.
  public mutating func begin(at now: MonotonicTime) {
    absence = nil
    radio.begin(at: now)
  }

  /// There is none, or none any more; the sentence says why.
  public mutating func end(_ reason: String) {
    absence = DisplayText.clean(reason)
    for order in radio.end() { refuse(order.identity, .noRadio(absence ?? "")) }
    facts = PlayerFacts()
  }

  /// What is to be sent to the radio: lines, each with its end.
  public mutating func takeCommands(at now: MonotonicTime) -> String {
    radio.goOn(at: now)
    return radio.takeOutgoing()
  }

  /// Takes a line of the radio, without its end.
  ///
  /// - Throws: `Nonsense` where it is no radio's; the connection is to be ended then.
  public mutating func hear(radio line: String) throws(Nonsense) {
    do throws(RadioDialogue.Nonsense) {
      switch try radio.hear(line) {
      case .facts(let facts): self.facts = facts
      case .done(let order, let refusal?): refuse(order.identity, .radio(DisplayText.clean(refusal)))
      case .done(let order, refusal: nil): answer(order.identity) { $0.add("result", "ok") }
      case nil: break
      }
    } catch { throw Nonsense() }
  }
}

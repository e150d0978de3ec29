import MediaSupport
import StationSupport
import System
import TestSupport

/// The server of one source of a script.
final class ScriptSource: Sendable {
  private let station: ScriptedStation
  private let phases: [ScriptPlan.Phase]

  /// Seconds that a listener receives at once.
  private static let burst = 2.0
  /// Seconds between two pieces of audio.
  private static let piece = 0.5

  private static let frames = ToneMp3.frames(3_700, rate: 32_000, channels: 1, kilobits: 32)
  private static let frameSize = 144
  private static let byteRate = 4_000.0
  private static let silence = Array(frames.prefix(4)) + [UInt8](repeating: 0, count: frameSize - 4)

  /// Generates the audio before a fast clock starts.
  static func prepare() { _ = silence }

  /// Creates a source. `start`: the start of the script.
  init(_ phases: [ScriptPlan.Phase], start: Double) throws {
    self.phases = phases
    station = try ScriptedStation { visit in Self.actions(phases, at: visit.time - start, start) }
  }

  var url: String { station.url() }
  var visitCount: Int { station.visits.count }
  var connectionCount: Int { station.connectionCount }
  var maxDelay: Double { station.maxThreadDelay }

  func close() { station.close() }

  /// Returns the bytes of a file with `seconds` of audio.
  static func file(_ seconds: Double) -> [UInt8] {
    Array(frames.prefix(Int(seconds * byteRate) / frameSize * frameSize))
  }

  private static func actions(_ phases: [ScriptPlan.Phase], at time: Double, _ start: Double) -> [StationAction] {
    var rest = phases.drop { $0.end <= time }
    guard let first = rest.first else { return [.stall] }
    var actions: [StationAction] = []
    switch first.state {
    case .refusing: return [.reset]
    case .missing: return StationAction.response("404 Not Found")
    case .silent: return [wait(until: first.end, start), .reset]
    case .on, .dead: actions.append(.live())
    }
    let sent = Locked(Int(max(0, time) * byteRate) / frameSize)
    while let phase = rest.popFirst() {
      switch phase.state {
      case .refusing: return actions + [.reset]
      case .missing: return actions
      case .silent: actions.append(wait(until: phase.end, start))
      case .on, .dead: actions += air(phase, phase.end == .infinity ? 150 : phase.end - time, sent, start)
      }
    }
    return actions + [.stall]
  }

  private static func wait(until end: Double, _ start: Double) -> StationAction {
    .then { [.wait(max(0, min(600, start + end - monotonicSeconds())))] }
  }

  /// Sends audio in pieces until a phase ends. `sent`: the number of the next frame.
  private static func air(
    _ phase: ScriptPlan.Phase, _ seconds: Double, _ sent: Locked<Int>, _ start: Double
  ) -> [StationAction] {
    let send = StationAction.then {
      let due = min(phase.end, monotonicSeconds() - start) + burst
      let last = min(frames.count / frameSize, Int(due * byteRate) / frameSize)
      let range = sent.withLock { sent in
        // Audio of a silent phase is not sent late.
        let first = max(sent, last - Int((burst + 2 * piece) * byteRate) / frameSize)
        sent = max(sent, last)
        return first..<max(first, last)
      }
      if phase.state == .dead { return [.send(range.flatMap { _ in silence })] }
      return [.send(Array(frames[range.lowerBound * frameSize..<range.upperBound * frameSize]))]
    }
    let pieces = (0..<Int(max(0, seconds) / piece)).flatMap { _ in [StationAction.wait(piece), send] }
    return [send] + pieces + [phase.end == .infinity ? .stall : wait(until: phase.end, start)]
  }
}

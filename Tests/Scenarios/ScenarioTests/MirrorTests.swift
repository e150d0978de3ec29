import MediaSupport
import Network
import RadioSupport
import SeededRandom
import StationSupport
import System
import TestSupport
import Testing
import Units

/// Two addresses of one programme with faults at random times (F1).
@Suite struct MirrorTests {
  private enum Fault: CaseIterable {
    case cut, reset, stall, notFound, unavailable

    /// The end of a connection, and the response to the next ones.
    var actions: [StationAction] {
      switch self {
      case .cut: []
      case .reset: [.reset]
      case .stall: [.stall]
      case .notFound: StationAction.response("404 Not Found")
      case .unavailable: StationAction.response("503 Service Unavailable")
      }
    }

    var end: [StationAction] { self == .stall || self == .reset ? actions : [] }
  }

  /// The faults so far. Only a connection with audio fails, at least 2.5 s after its start, and its address recovers
  /// within two seconds. Therefore at least one address always works.
  private struct Faults {
    static let count = 20
    var random: SeededGenerator
    var all: [Fault] = []
    /// For each address, the fault and the time of its end.
    var down: [(fault: Fault, until: Double)] = [(.cut, 0), (.cut, 0)]

    mutating func begin(at number: Int) -> Fault {
      let fault = Fault.allCases.randomElement(using: &random) ?? .cut
      all.append(fault)
      down[number] = (fault, monotonicSeconds() + .random(in: 0...2, using: &random))
      return fault
    }
  }

  private static func actions(
    _ visit: ScriptedStation.Request, at number: Int, _ broadcast: Broadcast, _ faults: Locked<Faults>
  ) -> [StationAction] {
    faults.withLock { state in
      if visit.time < state.down[number].until { return state.down[number].fault.actions }
      guard state.all.count < Faults.count else { return [.live()] + broadcast.actions(visit) }
      let seconds = Double.random(in: 2.5...4, using: &state.random)
      return [.live()] + broadcast.actions(visit, for: seconds)
        + [.then { faults.withLock { $0.begin(at: number) }.end }]
    }
  }

  @Test("Twenty faults of two addresses, never of both at once, cost no byte of the programme")
  func faults() async throws {
    let seed = UInt64.random(in: 1...9_999)
    try await Stage.run(speed: 8) {
      let clip = Clip.long(300)
      let broadcast = Broadcast(clip, burst: 16)
      let faults = Locked(Faults(random: SeededGenerator(seed)))
      let stations = try (0..<2).map { number in
        try ScriptedStation { Self.actions($0, at: number, broadcast, faults) }
      }
      defer { for station in stations { station.close() } }
      let bench = try NetBench()
      bench.tune(stations[0].url()) {
        $0.alternatives = [AlternativeAddress(url: StationAddress(stations[1].url()))]
      }
      let isFaulty = bench.run(250) { faults.withLock { $0.all.count == Faults.count } }
      let written = bench.written
      #expect(isFaulty && bench.run { bench.written > written + 8 })
      let story = "seed \(seed): \(faults.withLock { $0.all })"
      #expect(bench.stitches.allSatisfy { $0.isExact && $0.lost == .zero }, "\(story)")
      #expect(difference(bench.readBytes, beginningOf: clip.bytes) == nil, "\(story)")
      #expect(bench.readBytes.count > Int(40 * clip.byteRate) && stations[1].visits.count > 1, "\(story)")
    }
  }
}

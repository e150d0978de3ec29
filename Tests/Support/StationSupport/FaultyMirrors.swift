import SeededRandom
import TestSupport

/// Stations of one programme with planned faults: at most one station at a time is faulty.
public final class FaultyMirrors: Sendable {
  /// A fault of a station.
  public enum Kind: String, Sendable, CaseIterable {
    /// All connections end (FIN), and new ones deliver.
    case cut
    /// All connections are reset (RST), and new ones deliver.
    case reset
    /// All connections fall silent, and new ones deliver.
    case stall
    /// All connections end, and new ones get an error.
    case absent = "404"
    case busy = "503"
    /// All connections fall silent, and new ones get no response.
    case hole
  }

  /// A fault with its time in the programme.
  public struct Fault: Sendable {
    var station: Int
    var kind: Kind
    var start: Double
    var duration: Double

    /// Creates a fault that starts at `start` seconds.
    public init(_ kind: Kind, of station: Int, at start: Double, for duration: Double = 0) {
      (self.kind, self.station, self.start, self.duration) = (kind, station, start, duration)
    }
  }

  /// The stations.
  public let stations: [ScriptedStation]
  private let broadcast: Broadcast

  /// Creates `count` stations. `burst`: seconds that a visitor receives at once. `type`: the Content-Type.
  public init(
    _ clip: Clip, count: Int = 2, burst: Double, _ faults: [Fault], type: String = "audio/mpeg"
  ) throws {
    let broadcast = Broadcast(clip, burst: burst)
    self.broadcast = broadcast
    stations = try (0..<count).map { number in
      try ScriptedStation { visit in
        Self.actions(visit, broadcast, faults.filter { $0.station == number }, .live(type: type))
      }
    }
  }

  private static func actions(
    _ visit: ScriptedStation.Request, _ broadcast: Broadcast, _ faults: [Fault], _ head: StationAction
  ) -> [StationAction] {
    let age = broadcast.age(visit)
    if let fault = faults.last(where: { $0.start <= age && age < $0.start + $0.duration }) {
      switch fault.kind {
      case .absent: return StationAction.response("404 Not Found")
      case .busy: return StationAction.response("503 Busy")
      case .hole: return [.stall]
      case .cut, .reset, .stall: break
      }
    }
    guard let next = faults.first(where: { $0.start > age }) else { return [head] + broadcast.actions(visit) }
    let air = [head] + broadcast.actions(visit, for: next.start - age)
    return switch next.kind {
    case .cut, .absent, .busy: air
    case .reset: air + [.reset]
    case .stall, .hole: air + [.stall]
    }
  }

  /// Returns faults at random until `end` seconds, each after all stations have recovered.
  public static func faults(until end: Double, of stationCount: Int = 2, seed: UInt64) -> [Fault] {
    var random = SeededGenerator(seed)
    var (time, faults): (Double, [Fault]) = (Double.random(in: 5...8, using: &random), [])
    while time < end {
      let kind = Kind.allCases.randomElement(using: &random) ?? .cut
      let duration = [.absent, .busy, .hole].contains(kind) ? Double.random(in: 0.5...5, using: &random) : 0
      faults.append(Fault(kind, of: Int.random(in: 0..<stationCount, using: &random), at: time, for: duration))
      time += duration + Double.random(in: 5...8, using: &random)
    }
    return faults
  }

  /// The address of each station.
  public var urls: [String] { stations.enumerated().map { $1.url("/\($0)") } }

  /// Closes all stations.
  public func close() { for station in stations { station.close() } }
}

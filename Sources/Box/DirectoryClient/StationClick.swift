import Directory
import Network
import System
import Units

/// Tells the directory that one of its stations is played, so that it can rank them. What fails is not told.
public struct StationClick: Sendable {
  private let station: StationUuid
  private let agent: String
  private let clock: Clock

  /// It takes no longer.
  private static let longest = Duration(seconds: 5)

  /// A click for a station, with a `User-Agent`.
  public init(_ station: StationUuid, agent: String, clock: Clock) {
    (self.station, self.agent, self.clock) = (station, agent, clock)
  }

  /// Tells one server, the first; `isEnded` is asked ten times a second, and ends it. The thread that calls waits.
  public func send(to servers: [DirectoryServer], isEnded: @escaping () -> Bool) {
    guard let server = servers.first, let engine = try? HttpEngine(clock: clock) else { return }
    let visit = ServerVisit(engine: engine, clock: clock, isEnded: isEnded)
    try? visit.get(server.request("/xml/url/\(station)", agent: agent), within: Self.longest) { _ in }
  }
}

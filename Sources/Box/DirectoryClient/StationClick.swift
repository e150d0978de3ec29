import Directory
import Http
import System
import Units

/// Notifies the directory that one of its stations is played; the directory counts this for its ranking. Errors are
/// ignored.
public struct StationClick: Sendable {
  private let station: StationUuid
  private let agent: String
  private let clock: Clock

  private static let maxDuration = Duration(seconds: 5)

  /// Prepares a report with this `User-Agent`.
  public init(_ station: StationUuid, agent: String, clock: Clock) {
    (self.station, self.agent, self.clock) = (station, agent, clock)
  }

  /// Notifies the first server. `isEnded`: polled ten times a second; true ends the request. Blocks the calling thread.
  public func send(to servers: [DirectoryServer], isEnded: @escaping () -> Bool) {
    guard let server = servers.first, let engine = try? HttpEngine(clock: clock) else { return }
    let visit = ServerVisit(engine: engine, clock: clock, isEnded: isEnded)
    try? visit.get(server.request("/xml/url/\(station)", agent: agent), within: Self.maxDuration) { _ in }
  }
}

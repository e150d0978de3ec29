import Directory
import Http
import System
import Units

/// Fetches the station directory from one of several servers and replaces the local copy.
///
/// The list is parsed as it arrives. The old copy stays until the new one is complete. Blocks the calling thread.
public final class DirectoryUpdate {
  /// The result of an update.
  public struct Result: Equatable, Sendable {
    /// Facts of the new copy.
    public let summary: DirectoryBuilder.Summary
    /// The server that sent the list.
    public let source: StationAddress
    /// Time of the update, in seconds since 1970.
    public let date: Int64
  }

  /// The progress of an update.
  public struct Progress: Equatable, Sendable {
    /// The current server.
    public let server: StationAddress
    /// Number of received stations.
    public let stationCount: Int
    /// Received bytes of the list, uncompressed.
    public let byteCount: Int
  }

  /// Called for each received piece.
  public var onProgress: ((Progress) -> Void)?
  /// Called with a sentence for each server without an acceptable list.
  public var onFailure: ((String) -> Void)?

  private let path: String
  private let agent: String
  private let visit: ServerVisit
  /// A builder without entries, for the next list; nil after its first use.
  private var unused: DirectoryBuilder?

  /// The paths of the list's formats, in order of preference.
  private static let lists = ["/csv/stations", "/xml/stations"]

  /// Prepares an update of the copy at `path`. `agent`: the `User-Agent`. `isEnded`: polled ten times a second; true
  /// ends the update. Throws an error if libcurl cannot be set up.
  public init(path: String, agent: String, clock: Clock, isEnded: @escaping () -> Bool) throws(NetworkError) {
    (self.path, self.agent) = (path, agent)
    visit = ServerVisit(engine: try HttpEngine(clock: clock), clock: clock, isEnded: isEnded)
  }

  /// Tries the servers in turn until one sends an acceptable list. `servers`: called after the copy is locked.
  ///
  /// - Throws: The failure of the last server, or the first with `isFinal`; `.network(.noNetwork)` without servers.
  public func run(from servers: () -> [DirectoryServer]) throws(ServerFailure) -> Result {
    unused = try begin()
    defer { unused = nil }
    var last = ServerFailure.network(.noNetwork)
    for server in servers().prefix(DirectoryServer.maxCount) {
      // The fault to report for this server: the fault of the first list. If that is only a bad status, the fault of
      // the second list.
      var fault: (failure: ServerFailure, url: StationAddress)?
      for list in Self.lists {
        let request = server.request(list, agent: agent)
        do throws(ServerFailure) { return try fetch(request, from: server) } catch {
          guard !error.isFinal else { throw error }
          if fault?.failure.isOfStatus ?? true { fault = (error, request.url) }
          if !error.isOfContent { break }
        }
      }
      if let fault {
        onFailure?(fault.failure.sentence(for: fault.url))
        last = fault.failure
      }
    }
    throw last
  }

  private func begin() throws(ServerFailure) -> DirectoryBuilder {
    do throws(DirectoryError) { return try DirectoryBuilder(path: path) } catch { throw .content(error) }
  }

  private func fetch(_ list: HttpRequest, from server: DirectoryServer) throws(ServerFailure) -> Result {
    let builder: DirectoryBuilder
    if let unused { builder = unused } else { builder = try begin() }
    // A builder with entries must be released before the next builder starts.
    unused = nil
    var request = list
    request.acceptsGzip = true
    let reader = DirectoryListReader()
    var byteCount = 0
    let (visit, onProgress) = (visit, onProgress)
    try visit.get(request) { bytes throws(DirectoryError) in
      byteCount += bytes.count
      try reader.append(bytes) { entry throws(DirectoryError) in try builder.append(entry) }
      onProgress?(Progress(server: server.address, stationCount: builder.count, byteCount: byteCount))
    }
    do throws(DirectoryError) {
      try reader.finish { entry throws(DirectoryError) in try builder.append(entry) }
    } catch {
      throw .content(error)
    }
    try compare(builder.count, server)
    // If the clock is not set, uses the earliest possible date. Otherwise the new copy would look years old.
    let date = max(CalendarDay.earliestClock.seconds, Int64(clamping: Int(visit.clock.wallSeconds())))
    do throws(DirectoryError) {
      let summary = try builder.finish(date: date, source: server.address.description)
      return Result(summary: summary, source: server.address, date: date)
    } catch {
      throw .content(error)
    }
  }

  /// Refuses a list with less than half the stations of the copy, unless the owner chose the server.
  private func compare(_ count: Int, _ server: DirectoryServer) throws(ServerFailure) {
    guard !server.isMirror, let old = try? StationDirectory(path: path).count, 2 * count < old else { return }
    throw .fewer(count, than: old)
  }
}

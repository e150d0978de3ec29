import Directory
import Network
import System
import Units

/// Fetches the station directory from one of several servers, and puts it in place of the copy that is there.
///
/// The list is read while it comes. Until all of it is there the old copy stays, whatever happens. One thread, which
/// waits meanwhile.
public final class DirectoryUpdate {
  /// What was fetched.
  public struct Result: Equatable, Sendable {
    /// What the new copy holds.
    public let summary: DirectoryBuilder.Summary
    /// The server that it came from.
    public let source: StationAddress
    /// When it was fetched, in seconds since 1970.
    public let date: Int64
  }

  /// How far it is.
  public struct Progress: Equatable, Sendable {
    /// The server that is asked.
    public let server: StationAddress
    /// Stations that came.
    public let stationCount: Int
    /// Bytes of the list that came, unpacked.
    public let byteCount: Int
  }

  /// Told of each piece that comes.
  public var onProgress: ((Progress) -> Void)?
  /// Told why a server's lists were not taken, as a sentence; once for each server.
  public var onFailure: ((String) -> Void)?

  private let path: String
  private let agent: String
  private let visit: ServerVisit
  /// A builder that nothing was added to.
  private var unused: DirectoryBuilder?

  /// The formats in which servers have the list.
  private static let lists = ["/csv/stations", "/xml/stations"]

  /// An update of the copy at `path`.
  ///
  /// - Parameters:
  ///   - path: Where the copy is, or will be.
  ///   - agent: The `User-Agent`.
  ///   - clock: What it waits by.
  ///   - isEnded: Asked ten times a second; true ends the update.
  /// - Throws: What libcurl needs and does not get.
  public init(path: String, agent: String, clock: Clock, isEnded: @escaping () -> Bool) throws(NetworkError) {
    (self.path, self.agent) = (path, agent)
    visit = ServerVisit(engine: try HttpEngine(clock: clock), clock: clock, isEnded: isEnded)
  }

  /// Asks servers, one after the other, until one gives a list that can be taken.
  ///
  /// - Parameter servers: Asked for once nobody else can write the copy.
  /// - Throws: Why the last server's list was not taken; `.content(.busy)` and `.content(.unwritable)` before any
  ///   server is asked.
  public func run(from servers: () -> [DirectoryServer]) throws(ServerFailure) -> Result {
    unused = try begin()
    defer { unused = nil }
    var last = ServerFailure.network(.noNetwork)
    for server in servers().prefix(DirectoryServer.most) {
      // One sentence for each server: what is wrong with the first list that it has.
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
    // What is half full is thrown away before the next one begins.
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
    // A clock that was never set must not make a new copy look years old.
    let date = max(CalendarDay.earliestClock.seconds, Int64(clamping: Int(visit.clock.wallSeconds())))
    do throws(DirectoryError) {
      let summary = try builder.finish(date: date, source: server.address.description)
      return Result(summary: summary, source: server.address, date: date)
    } catch {
      throw .content(error)
    }
  }

  /// A list that lost most of its stations is a fault of its server, unless the owner chose that.
  private func compare(_ count: Int, _ server: DirectoryServer) throws(ServerFailure) {
    guard !server.isMirror, let old = try? StationDirectory(path: path).count, 2 * count < old else { return }
    throw .fewer(count, than: old)
  }
}

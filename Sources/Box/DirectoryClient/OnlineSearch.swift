import Directory
import Network
import System
import Units

/// Asks the directory's servers for stations; the copy on this machine is not used.
public final class OnlineSearch {
  private let agent: String
  private let visit: ServerVisit

  /// A search takes no longer.
  private static let longest = Duration(seconds: 30)

  /// A search with a `User-Agent`; `isEnded` is asked ten times a second, and ends it.
  ///
  /// - Throws: What libcurl needs and does not get.
  public init(agent: String, clock: Clock, isEnded: @escaping () -> Bool) throws(NetworkError) {
    self.agent = agent
    visit = ServerVisit(engine: try HttpEngine(clock: clock), clock: clock, isEnded: isEnded)
  }

  /// The stations that the first server which answers has, the best voted first, `limit` at most.
  ///
  /// - Throws: Why the last server gave no answer.
  public func run(
    _ query: DirectoryQuery, limit: Int, from servers: [DirectoryServer]
  ) throws(ServerFailure) -> [DirectoryEntry] {
    var last = ServerFailure.network(.noNetwork)
    for server in servers.prefix(DirectoryServer.most) {
      do throws(ServerFailure) { return try ask(server, query, limit: limit) } catch {
        if error.isFinal { throw error }
        last = error
      }
    }
    throw last
  }

  private func ask(_ server: DirectoryServer, _ query: DirectoryQuery, limit: Int) throws(ServerFailure)
    -> [DirectoryEntry]
  {
    var request = server.request("/csv/stations/search", query: Self.pairs(query, limit: limit), agent: agent)
    request.acceptsGzip = true
    let reader = DirectoryListReader()
    let found = FoundStations(limit)
    try visit.get(request, within: Self.longest) { bytes throws(DirectoryError) in
      try reader.append(bytes) { entry in found.append(entry) }
    }
    do throws(DirectoryError) { try reader.finish { entry in found.append(entry) } } catch {
      // A list with its head alone: nothing fits.
      guard error == .empty else { throw .content(error) }
    }
    return found.stations
  }

  /// The query as the servers take it.
  static func pairs(_ query: DirectoryQuery, limit: Int) -> [String] {
    var pairs: [String] = []
    func add(_ key: String, _ value: String?) {
      if let value, !value.isEmpty { pairs.append("\(key)=\(value)") }
    }
    add("name", query.words)
    let isCode = query.country?.utf8.count == 2
    add(isCode ? "countrycode" : "country", isCode ? query.country?.uppercased() : query.country)
    add("tagList", query.tag)
    add("language", query.language)
    add("codec", query.codec)
    return pairs + ["limit=\(limit)", "hidebroken=true", "order=votes", "reverse=true"]
  }
}

/// Stations as they come, so many at most.
private final class FoundStations {
  private(set) var stations: [DirectoryEntry] = []
  private let limit: Int

  init(_ limit: Int) { self.limit = limit }

  func append(_ entry: DirectoryEntry) { if stations.count < limit { stations.append(entry) } }
}

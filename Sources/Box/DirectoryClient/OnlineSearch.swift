import Directory
import Http
import System
import Units

/// Searches stations on the directory's servers, without the local copy.
public final class OnlineSearch {
  private let agent: String
  private let visit: ServerVisit

  /// Maximum duration per server.
  private static let maxDuration = Duration(seconds: 30)

  /// Prepares a search. `agent`: the `User-Agent`. `isEnded`: polled ten times a second; true ends the search. Throws
  /// an error if libcurl cannot be set up.
  public init(agent: String, clock: Clock, isEnded: @escaping () -> Bool) throws(NetworkError) {
    self.agent = agent
    visit = ServerVisit(engine: try HttpEngine(clock: clock), clock: clock, isEnded: isEnded)
  }

  /// Returns at most `limit` stations, most votes first, of the first server that responds. If no server responds,
  /// throws the last failure.
  public func run(
    _ query: DirectoryQuery, limit: Int, from servers: [DirectoryServer]
  ) throws(ServerFailure) -> [DirectoryEntry] {
    var last = ServerFailure.network(.noNetwork)
    for server in servers.prefix(DirectoryServer.maxCount) {
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
    try visit.get(request, within: Self.maxDuration) { bytes throws(DirectoryError) in
      try reader.append(bytes) { entry in found.append(entry) }
    }
    do throws(DirectoryError) { try reader.finish { entry in found.append(entry) } } catch {
      // An empty list has only its header: no station matches.
      guard error == .empty else { throw .content(error) }
    }
    return found.stations
  }

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

private final class FoundStations {
  private(set) var stations: [DirectoryEntry] = []
  private let limit: Int

  init(_ limit: Int) { self.limit = limit }

  func append(_ entry: DirectoryEntry) { if stations.count < limit { stations.append(entry) } }
}

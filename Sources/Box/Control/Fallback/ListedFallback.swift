import Http
import Network
import Settings
import Units

/// An entry of `fallback`, and the list that names it.
public struct ListedFallback: Hashable, Sendable {
  private let entry: String
  private let list: String

  /// Creates an entry. `list`: the list in words, such as "[continuity]" or the name of a station.
  public init(_ entry: String, in list: String) { (self.entry, self.list) = (entry, list) }

  /// Returns the sentence about an entry that cannot play now; nil if it may play. Reads a folder, which may block.
  public func problem(among stations: PresetList, _ request: (StationAddress) -> StationRequest?) -> String? {
    let shown = StationFallback(entry).description
    guard let source = FallbackSource(entry, among: stations, request) else {
      return "The fallback \"\(shown)\" of \(list) is neither a station, an address nor a path, and is skipped."
    }
    return source.problem.map { "A fallback of \(list) is skipped. \($0)" }
  }

  /// Returns the sentences about the entries that cannot play now, in order. Reads folders, which may block.
  public static func problems(
    in entries: [ListedFallback], among stations: PresetList, _ request: (StationAddress) -> StationRequest?
  ) -> [String] {
    var known: Set<ListedFallback> = []
    return entries.filter { known.insert($0).inserted }.compactMap { $0.problem(among: stations, request) }
  }
}

extension [String] {
  /// Returns the entries with the list that names them.
  public func listed(in list: String) -> [ListedFallback] { map { ListedFallback($0, in: list) } }
}

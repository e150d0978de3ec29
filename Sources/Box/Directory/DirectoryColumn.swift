/// What a directory's list says of a station, by the names that radio-browser gives its columns and attributes.
public enum DirectoryColumn: String, CaseIterable, Sendable {
  case uuid = "stationuuid"
  case name
  case url
  case resolvedUrl = "url_resolved"
  case homepage
  case tags
  case country
  case countryCode = "countrycode"
  case state
  case language
  case votes
  case codec
  case bitRate = "bitrate"
  case isHls = "hls"
  case isAlive = "lastcheckok"

  /// Its place in a row.
  var index: Int { Self.indices[self] ?? 0 }

  private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}

/// One row of a list as it was sent, and not to be trusted.
public struct DirectoryRow: Sendable {
  private var texts = [String](repeating: "", count: DirectoryColumn.allCases.count)

  /// An empty row.
  public init() {}

  /// What a column says; empty where the list has no such column.
  public subscript(column: DirectoryColumn) -> String {
    get { texts[column.index] }
    set { texts[column.index] = newValue }
  }
}

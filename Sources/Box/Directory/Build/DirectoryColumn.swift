/// The columns of a station list, with the names in radio-browser's CSV header and XML attributes.
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

  var index: Int { Self.indices[self] ?? 0 }

  private static let indices = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}

/// An unchecked row of a received list.
public struct DirectoryRow: Sendable {
  private var texts = [String](repeating: "", count: DirectoryColumn.allCases.count)

  /// Creates an empty row.
  public init() {}

  /// The text of a column; empty if the list lacks the column.
  public subscript(column: DirectoryColumn) -> String {
    get { texts[column.index] }
    set { texts[column.index] = newValue }
  }
}

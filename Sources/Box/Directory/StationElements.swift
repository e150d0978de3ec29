import Listings

/// The stations of radio-browser's XML: `<result><station name="" url="" …/></result>`.
final class StationElements: XmlHandler {
  /// Stations that were told and not yet taken.
  private(set) var rows: [DirectoryRow] = []
  /// Whether the root is another one.
  private(set) var isOther = false
  private var depth = 0

  /// Nothing that follows in another document matters.
  var isFull: Bool { isOther }

  /// Gives the stations that have come, and forgets them.
  func take() -> [DirectoryRow] {
    defer { rows.removeAll(keepingCapacity: true) }
    return rows
  }

  /// An element begins.
  func start(_ name: String, attributes: [String: String]) {
    depth += 1
    if depth == 1 { isOther = name != "result" }
    guard depth == 2, name == "station" else { return }
    var row = DirectoryRow()
    for column in DirectoryColumn.allCases {
      if let text = attributes[column.rawValue] { row[column] = text }
    }
    rows.append(row)
  }

  /// It ends.
  func end(_ name: String) { depth -= 1 }

  /// There is no text in such a list.
  func text(_ piece: UnsafeRawBufferPointer) {}
}

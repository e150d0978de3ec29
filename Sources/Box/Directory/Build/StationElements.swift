import Listings

/// Parses radio-browser's XML: `<result><station name="" url="" …/></result>`.
final class StationElements: XmlHandler {
  private(set) var rows: [DirectoryRow] = []
  /// True if the root element is not `result`.
  private(set) var isOther = false
  private var depth = 0

  var isFull: Bool { isOther }

  func removeRows() -> [DirectoryRow] {
    defer { rows.removeAll(keepingCapacity: true) }
    return rows
  }

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

  func end(_ name: String) { depth -= 1 }

  /// Does nothing, because the list contains no text.
  func text(_ piece: UnsafeRawBufferPointer) {}
}

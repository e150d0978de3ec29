import Listings

/// Parses a station list of radio-browser's servers, CSV or XML, as it arrives.
///
/// The reader detects the format from the first bytes, and finds columns by name. It skips a row that is broken, too
/// long, or without an HTTP address. Row length, row count and buffered bytes have limits. One thread.
public final class DirectoryListReader {
  /// Number of rows with a valid station.
  public private(set) var count = 0
  /// Number of skipped rows.
  public var passedOver: Int { brokenCount + csv.tooLongCount }

  private enum Form {
    case unknown, csv, xml
  }

  private var form = Form.unknown
  /// Buffer for the first bytes, until the format is known.
  private var head: [UInt8] = []
  private var csv = CsvReader()
  /// The known columns by position; empty before the header.
  private var columns: [(place: Int, column: DirectoryColumn)] = []
  private var columnCount = 0
  private let elements = StationElements()
  private var xml: XmlReader?
  private var brokenCount = 0
  private var byteCount = 0
  private let maxLength: Int
  private var fault: DirectoryError?

  /// Number of first bytes from which the format is detected.
  private static let headLength = 512
  /// Maximum bytes per call of expat, which limits the number of buffered stations.
  private static let pieceLength = 16_384

  /// Creates a reader for one list of at most 256 MiB.
  public init() { maxLength = BuilderLimits.maxListLength }

  /// Creates a reader with a smaller limit, for tests.
  init(longest: Int) { self.maxLength = longest }

  /// Parses a piece, and calls `each` for each complete station. Throws `.notAList`, `.malformed`, `.tooLarge`, and
  /// errors of `each`. All later calls throw the same error.
  public func append(
    _ bytes: Span<UInt8>, each: (DirectoryEntry) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    if let fault { throw fault }
    do throws(DirectoryError) {
      byteCount += bytes.count
      guard byteCount <= maxLength else { throw .tooLarge }
      if case .unknown = form {
        bytes.withUnsafeBytes { head += $0 }
        guard head.count >= Self.headLength else { return }
        try begin(each)
      } else {
        try read(bytes, each)
      }
    } catch {
      fault = error
      throw error
    }
  }

  /// Ends the list. Throws `.cutOff` if the list ends inside a row or element, `.malformed` if inside a row that is too
  /// long. Throws `.empty` if no row has a valid station, and the errors of `append`.
  public func finish(each: (DirectoryEntry) throws(DirectoryError) -> Void) throws(DirectoryError) {
    if let fault { throw fault }
    fault = .cutOff
    if case .unknown = form { try begin(each) }
    try end(each)
    guard count > 0 else { throw .empty }
  }

  private func begin(_ each: (DirectoryEntry) throws(DirectoryError) -> Void) throws(DirectoryError) {
    // The length is fixed, so that the format does not depend on the pieces of the transfer.
    let start = ListStart(Array(head.prefix(Self.headLength)))
    switch start.form {
    case .csv: form = .csv
    case .xml:
      form = .xml
      xml = XmlReader(to: elements, limits: Self.limits)
    case .other(let content): throw .notAList(content)
    }
    let waiting = head
    head = []
    try read(waiting.span.extracting(start.skipped..<waiting.count), each)
  }

  private static var limits: XmlReader.Limits {
    var limits = XmlReader.Limits()
    limits.bytes = .max
    limits.depth = 8
    limits.attributes = 128
    limits.elements = FileLayout.maxStations + 1_000
    limits.markup = CsvReader.maxRowLength
    return limits
  }

  private func read(
    _ bytes: Span<UInt8>, _ each: (DirectoryEntry) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    if form == .csv { return try csv.append(bytes) { row throws(DirectoryError) in try process(row, each) } }
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + Self.pieceLength)
      var problem: DirectoryError?
      do throws(ListingError) { try xml?.append(bytes.extracting(place..<end)) } catch {
        problem = Self.problem(error)
      }
      try deliver(each)
      if let problem { throw problem }
      place = end
    }
  }

  private static func problem(_ error: ListingError) -> DirectoryError {
    switch error {
    case .malformed(let line): .malformed(line: line)
    case .tooLarge: .tooLarge
    case .empty: .empty
    }
  }

  private func deliver(_ each: (DirectoryEntry) throws(DirectoryError) -> Void) throws(DirectoryError) {
    for row in elements.removeRows() { try deliver(row, each) }
    if elements.isOther { throw .notAList(.otherXml) }
  }

  private func process(
    _ row: CsvReader.Row, _ each: (DirectoryEntry) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    guard !columns.isEmpty else { return try readHeader(row) }
    guard row.count == columnCount else {
      brokenCount += 1
      return
    }
    var texts = DirectoryRow()
    for (place, column) in columns { texts[column] = row[place] }
    try deliver(texts, each)
  }

  private func readHeader(_ row: CsvReader.Row) throws(DirectoryError) {
    for place in 0..<row.count {
      if let column = DirectoryColumn(rawValue: row[place].lowercased()),
        !columns.contains(where: { $0.column == column })
      {
        columns.append((place, column))
      }
    }
    columnCount = row.count
    let known = columns.map(\.column)
    guard known.contains(.name), known.contains(.url) || known.contains(.resolvedUrl) else {
      throw .notAList(.otherText)
    }
  }

  private func deliver(
    _ row: DirectoryRow, _ each: (DirectoryEntry) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    guard let entry = DirectoryEntry(row) else {
      brokenCount += 1
      return
    }
    count += 1
    try each(entry)
  }

  private func end(_ each: (DirectoryEntry) throws(DirectoryError) -> Void) throws(DirectoryError) {
    if form == .csv {
      guard !columns.isEmpty else { throw .notAList(.otherText) }
      // An unclosed quote makes the rest one field; the XML form of the list may be complete.
      guard !csv.isTooLong else { throw .malformed(line: csv.rowCount + csv.tooLongCount + 1) }
      guard !csv.isInRow else { throw .cutOff }
      return
    }
    do throws(ListingError) { try xml?.finish() } catch { throw .cutOff }
    try deliver(each)
  }
}

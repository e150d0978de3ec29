import Listings

/// Reads a list of stations as radio-browser's servers send it, in CSV or XML, while it comes.
///
/// The first bytes say which it is. Columns and attributes are found by their names. A row that is broken, too long, or
/// has no address by HTTP is passed over. A row's length, their number and what is waited with are bounded. One thread.
public final class DirectoryListReader {
  /// How many rows gave a station.
  public private(set) var count = 0
  /// How many rows were passed over.
  public var passedOver: Int { brokenCount + csv.tooLongCount }

  private enum Form {
    case unknown, csv, xml
  }

  private var form = Form.unknown
  /// The first bytes, until they say what they are.
  private var head: [UInt8] = []
  private var csv = CsvReader()
  /// The columns by their places; empty until the header has come.
  private var columns: [(place: Int, column: DirectoryColumn)] = []
  private var columnCount = 0
  private let elements = StationElements()
  private var xml: XmlReader?
  private var brokenCount = 0
  private var byteCount = 0
  private let longest: Int
  private var fault: DirectoryError?

  /// So many bytes say what a list is.
  private static let headLength = 512
  /// expat is given so much at once, so that few stations wait.
  private static let pieceLength = 16_384

  /// A reader for one list, which has 256 MiB at most.
  public init() { longest = BuilderLimits.longestList }

  /// A reader that takes fewer bytes; for tests.
  init(longest: Int) { self.longest = longest }

  /// Reads on, and tells the stations that have come.
  ///
  /// - Throws: `.notAList`, `.malformed`, `.tooLarge`, and what `each` throws; after an error no more may come.
  public func append(
    _ bytes: Span<UInt8>, each: (DirectoryEntry) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    if let fault { throw fault }
    do throws(DirectoryError) {
      byteCount += bytes.count
      guard byteCount <= longest else { throw .tooLarge }
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

  /// The list ends here.
  ///
  /// - Throws: `.cutOff` where it ends in a row or an element, `.malformed` where in a row that is too long, `.empty`
  ///   where no row gave a station, `.notAList`, and what `each` throws.
  public func finish(each: (DirectoryEntry) throws(DirectoryError) -> Void) throws(DirectoryError) {
    if let fault { throw fault }
    fault = .cutOff
    if case .unknown = form { try begin(each) }
    try end(each)
    guard count > 0 else { throw .empty }
  }

  private func begin(_ each: (DirectoryEntry) throws(DirectoryError) -> Void) throws(DirectoryError) {
    // Not more, however many came at once.
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
    limits.elements = FileLayout.mostStations + 1_000
    limits.markup = CsvReader.longestRow
    return limits
  }

  private func read(
    _ bytes: Span<UInt8>, _ each: (DirectoryEntry) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    if form == .csv { return try csv.append(bytes) { row throws(DirectoryError) in try take(row, each) } }
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + Self.pieceLength)
      var problem: DirectoryError?
      do throws(ListingError) { try xml?.append(bytes.extracting(place..<end)) } catch {
        problem = Self.problem(error)
      }
      try give(each)
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

  /// The stations that expat has told.
  private func give(_ each: (DirectoryEntry) throws(DirectoryError) -> Void) throws(DirectoryError) {
    for row in elements.take() { try tell(row, each) }
    if elements.isOther { throw .notAList(.otherXml) }
  }

  private func take(
    _ row: CsvReader.Row, _ each: (DirectoryEntry) throws(DirectoryError) -> Void
  ) throws(DirectoryError) {
    guard !columns.isEmpty else { return try takeHeader(row) }
    guard row.count == columnCount else {
      brokenCount += 1
      return
    }
    var texts = DirectoryRow()
    for (place, column) in columns { texts[column] = row[place] }
    try tell(texts, each)
  }

  private func takeHeader(_ row: CsvReader.Row) throws(DirectoryError) {
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

  private func tell(
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
      // A quote without an end swallows the rest: the same list as XML may be whole.
      guard !csv.isTooLong else { throw .malformed(line: csv.rowCount + csv.tooLongCount + 1) }
      guard !csv.isInRow else { throw .cutOff }
      return
    }
    do throws(ListingError) { try xml?.finish() } catch { throw .cutOff }
    try give(each)
  }
}

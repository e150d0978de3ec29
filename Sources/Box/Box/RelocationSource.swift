import Units

/// Where a preset's station is looked up: the copy of the station directory.
protocol RelocationSource: AnyObject {
  /// Whether the copy is being opened: nothing is found in it for now, and asking has it opened.
  var isOpening: Bool { get }

  /// When the copy was fetched, in seconds since 1970; nil where there is none, and while it is being opened.
  var fetched: Int64? { get }

  /// A name as the directory compares names: without case, accents and signs.
  func folded(_ name: String) -> String

  /// The entry of an id, or else that of an address among those with a name or under the address's domain; nil where
  /// there is none.
  func entry(id: String?, url: StationAddress, name: String) -> RelocationCandidate?

  /// The entries that may be a preset's station: of its id, under its homepage or domain, or with its name; some
  /// hundred at most.
  func entries(for subject: RelocationSubject) -> [RelocationCandidate]
}

import Units

protocol RelocationSource: AnyObject {
  /// True while the directory is being opened; searches return nothing then. Each access opens a closed directory.
  var isOpening: Bool { get }

  /// Time of the directory's download, in seconds since 1970; nil if there is no directory, or while it is being
  /// opened.
  var fetched: Int64? { get }

  /// Returns a name without case, accents and punctuation, for comparisons.
  func folded(_ name: String) -> String

  /// Returns the entry with the id, or else with the address; nil without such an entry.
  func entry(id: String?, url: StationAddress, name: String) -> RelocationCandidate?

  /// Returns the entries with the preset's id, or with its name and domain; a few hundred at most.
  func entries(for subject: RelocationSubject) -> [RelocationCandidate]
}

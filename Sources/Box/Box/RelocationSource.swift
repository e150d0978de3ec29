import Units

protocol RelocationSource: AnyObject {
  /// True while the copy is being opened; look-ups return nothing then. Every access opens a closed copy.
  var isOpening: Bool { get }

  /// Time of the copy's download, in seconds since 1970; nil without a copy, and while it is being opened.
  var fetched: Int64? { get }

  /// Returns a name without case, accents and punctuation, for comparisons.
  func folded(_ name: String) -> String

  /// Returns the entry with the id, or else with the address; nil without such an entry.
  func entry(id: String?, url: StationAddress, name: String) -> RelocationCandidate?

  /// Returns the entries with the preset's id, homepage, domain or name; a few hundred at most.
  func entries(for subject: RelocationSubject) -> [RelocationCandidate]
}

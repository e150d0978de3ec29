/// What is told of a song, by MPD's names; a client may ask for fewer (`tagtypes`).
enum MpdTag: String, CaseIterable {
  case artist = "Artist"
  case title = "Title"
  case name = "Name"
  case genre = "Genre"

  /// The tag of a name, whatever its letters' case.
  init?(named name: String) {
    guard let tag = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else { return nil }
    self = tag
  }
}

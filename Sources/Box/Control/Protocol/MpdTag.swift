/// The tags of a song; a client may request fewer (`tagtypes`).
enum MpdTag: String, CaseIterable {
  case artist = "Artist"
  case title = "Title"
  case name = "Name"
  case genre = "Genre"

  init?(named name: String) {
    guard let tag = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else { return nil }
    self = tag
  }
}

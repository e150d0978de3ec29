import Directory

/// A station of the directory as the protocol tells it.
struct DirectorySong {
  let entry: DirectoryEntry

  init(_ entry: DirectoryEntry) { self.entry = entry }

  /// What clients add it by. The directory is public: its addresses hold no secret.
  var file: String { entry.url.unredacted }

  /// The values of a tag. Its name is its title too, which is what most clients show; its country is its artist, so
  /// that clients which browse by tags find it.
  subscript(tag: MpdTag) -> [String] {
    switch tag {
    case .artist: entry.country.isEmpty ? [] : [entry.country]
    case .title, .name: [entry.name]
    case .genre: entry.tags.map(Self.genre)
    }
  }

  /// A tag of the directory with a capital at its beginning, as clients' users write genres.
  static func genre(_ tag: String) -> String { tag.prefix(1).uppercased() + tag.dropFirst() }

  /// What a search for words looks at.
  var texts: [String] { [entry.name, entry.country, entry.state] + entry.tags + entry.languages }

  /// Adds its lines to an answer, with the tags that the client asked for.
  func add(to answer: inout ControlAnswer, _ tags: Set<MpdTag>) {
    answer.add("file", file)
    for tag in MpdTag.allCases where tags.contains(tag) {
      for value in self[tag] { answer.add(tag.rawValue, value) }
    }
  }

  /// Adds all that is known of it, in Bakelite's own words.
  func addAll(to answer: inout ControlAnswer) {
    answer.add("file", file)
    answer.add("name", entry.name)
    answer.add("tags", filled(entry.tags.joined(separator: ", ")))
    answer.add("country", filled(entry.country))
    answer.add("country_code", filled(entry.countryCode))
    answer.add("state", filled(entry.state))
    answer.add("language", filled(entry.languages.joined(separator: ", ")))
    answer.add("codec", filled(entry.codec))
    answer.add("bitrate", entry.bitRate > 0 ? entry.bitRate : nil)
    answer.add("hls", entry.isHls)
    answer.add("votes", entry.votes)
    answer.add("alive", entry.isAlive)
    answer.add("homepage", filled(entry.homepage))
    answer.add("directory_id", entry.uuid?.description)
  }

  private func filled(_ text: String) -> String? { text.isEmpty ? nil : text }
}

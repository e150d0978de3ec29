import Directory

struct DirectorySong {
  let entry: DirectoryEntry

  init(_ entry: DirectoryEntry) { self.entry = entry }

  /// The address by which clients add the station. Addresses of the public directory contain no secrets.
  var file: String { entry.url.unredacted }

  /// The name is also the title, because most clients show the title. The artist is the country, for browsing by tags.
  subscript(tag: MpdTag) -> [String] {
    switch tag {
    case .artist: entry.country.isEmpty ? [] : [entry.country]
    case .title, .name: [entry.name]
    case .genre: entry.tags.map(Self.genre)
    }
  }

  static func genre(_ tag: String) -> String { tag.prefix(1).uppercased() + tag.dropFirst() }

  var texts: [String] { [entry.name, entry.country, entry.state] + entry.tags + entry.languages }

  func add(to answer: inout ControlAnswer, _ tags: Set<MpdTag>) {
    answer.add("file", file)
    for tag in MpdTag.allCases where tags.contains(tag) {
      for value in self[tag] { answer.add(tag.rawValue, value) }
    }
  }

  func addAll(to answer: inout ControlAnswer) {
    answer.add([
      "file": file, "name": entry.name, "tags": filled(entry.tags.joined(separator: ", ")),
      "country": filled(entry.country), "country_code": filled(entry.countryCode), "state": filled(entry.state),
      "language": filled(entry.languages.joined(separator: ", ")), "codec": filled(entry.codec),
    ])
    if entry.bitRate > 0 { answer.add("bitrate", entry.bitRate) }
    answer.add([
      "hls": entry.isHls, "votes": entry.votes, "alive": entry.isAlive, "homepage": filled(entry.homepage),
      "directory_id": entry.uuid?.description,
    ])
  }

  private func filled(_ text: String) -> String? { text.isEmpty ? nil : text }
}

/// The distinct values of some tags, with station counts; for MPD's `list` and `count` with groups.
struct TagTable {
  let tags: [String]
  private var counts: [[String]: Int] = [:]
  private let known: [MpdTag?]
  /// Maximum number of tags; limited because a station may have many values of each tag.
  private static let maxTags = 4

  /// Creates a table for tag names from a client. Throws if MPD has no such tag, or for more than four tags.
  init(_ names: [String]) throws(ControlRefusal) {
    guard names.count <= Self.maxTags else {
      throw ControlRefusal(.argument, "Values are listed in \(Self.maxTags - 1) groups at most")
    }
    var (tags, known): ([String], [MpdTag?]) = ([], [])
    for name in names {
      let tag = MpdTag(named: name)
      let foreign = SongFilter.foreignTags.first { $0.lowercased() == name.lowercased() }
      guard let written = tag?.rawValue ?? foreign else {
        throw ControlRefusal(.argument, "Unknown tag type: \(name)")
      }
      tags.append(written)
      known.append(tag)
    }
    (self.tags, self.known) = (tags, known)
  }

  /// True if further stations cannot change the values: the table is full, or no station has the tags.
  var isFull: Bool {
    counts.count >= DirectoryTree.maxStations || !counts.isEmpty && known.allSatisfy { $0 == nil }
  }

  /// The tag if the table has only one; nil if there are several tags, or if no station has it.
  var single: MpdTag? { known.count == 1 ? known[0] : nil }

  /// Counts a station under each of its values; a missing tag counts as an empty value.
  mutating func insert(_ song: DirectorySong) {
    var rows: [[String]] = [[]]
    for tag in known {
      let values = tag.map { song[$0] } ?? []
      rows = rows.flatMap { row in (values.isEmpty ? [""] : values).map { row + [$0] } }
      rows = Array(rows.prefix(64))
    }
    for row in rows where counts[row] != nil || counts.count < DirectoryTree.maxStations {
      counts[row, default: 0] += 1
    }
  }

  mutating func insert(_ values: [String]) {
    for value in values.prefix(DirectoryTree.maxStations) { counts[[value]] = 1 }
  }

  /// Adds the sorted values to a reply, with the values of a group below the group. `counts`: true to add station
  /// counts.
  func addLines(_ answer: inout ControlAnswer, counts tellsCounts: Bool) {
    var last: [String] = []
    for (row, count) in counts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let same = tellsCounts ? 0 : min(zip(row, last).prefix { $0 == $1 }.count, row.count - 1)
      for index in row.indices.dropFirst(same) { answer.add(tags[index], row[index]) }
      if tellsCounts { answer.add(["songs": count, "playtime": 0]) }
      last = row
    }
  }
}

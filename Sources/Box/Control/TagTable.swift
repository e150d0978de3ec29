/// The different values of some tags, and how many stations have each; MPD's `list` and `count` with groups.
struct TagTable {
  /// What is told of each: the outermost group first.
  let tags: [String]
  private var counts: [[String]: Int] = [:]
  private let known: [MpdTag?]
  /// A station may have many values of each.
  private static let mostTags = 4

  /// A table of tags, whose names a client gave.
  ///
  /// - Throws: Where MPD has no such tag.
  init(_ names: [String]) throws(ControlRefusal) {
    guard names.count <= Self.mostTags else {
      throw ControlRefusal(.argument, "Values are listed in \(Self.mostTags - 1) groups at most")
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

  /// Whether no other values would be taken, or there are none.
  var isFull: Bool {
    counts.count >= DirectoryTree.mostStations || !counts.isEmpty && known.allSatisfy { $0 == nil }
  }

  /// The only tag of the table; nil where there are several, or no station has it.
  var single: MpdTag? { known.count == 1 ? known[0] : nil }

  /// Counts a station. A tag that it lacks is an empty one.
  mutating func note(_ song: DirectorySong) {
    var rows: [[String]] = [[]]
    for tag in known {
      let values = tag.map { song[$0] } ?? []
      rows = rows.flatMap { row in (values.isEmpty ? [""] : values).map { row + [$0] } }
      rows = Array(rows.prefix(64))
    }
    for row in rows where counts[row] != nil || counts.count < DirectoryTree.mostStations {
      counts[row, default: 0] += 1
    }
  }

  /// Notes values of the only tag.
  mutating func note(_ values: [String]) {
    for value in values.prefix(DirectoryTree.mostStations) { counts[[value]] = 1 }
  }

  /// Adds its lines to an answer, sorted: the values of a group below it; `counts` tells how many stations have each.
  func tell(_ answer: inout ControlAnswer, counts tellsCounts: Bool) {
    var last: [String] = []
    for (row, count) in counts.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let same = tellsCounts ? 0 : min(zip(row, last).prefix { $0 == $1 }.count, row.count - 1)
      for index in row.indices.dropFirst(same) { answer.add(tags[index], row[index]) }
      if tellsCounts { answer.addCount(count) }
      last = row
    }
  }
}

extension ControlAnswer {
  /// How many stations there are; none of them has an end.
  mutating func addCount(_ count: Int) {
    add("songs", count)
    add("playtime", 0)
  }
}

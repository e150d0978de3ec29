import Framing
import Settings

/// The list of stations as the lines of a terminal.
struct StationListView {
  let picker: StationPicker
  /// The list's path for the first line.
  var place = ""
  /// The playing station, and its live line.
  var playing: (name: String, line: LiveText)?
  /// The last messages of the playback.
  var messages: [String] = []
  /// Lines in place of the stations, such as a list of keys.
  var overlay: [String]?
  var columns = 80
  var rows = 24

  static let keys = [
    ("Enter", "play"), ("1 … 9", "play by number"), ("↑ ↓", "move"), ("PgUp", "page up"), ("PgDn", "page down"),
    ("/", "search"), ("?", "hide keys"), ("q", "quit"),
  ]

  /// The number of lines for stations.
  var page: Int { max(1, rows - top.count - bottom.count) }

  /// The lines, and the place of the line at the cursor.
  var lines: (all: [String], marked: Int?) {
    let (page, width) = (page, width)
    if let overlay { return (fill(overlay, page), nil) }
    guard !picker.shown.isEmpty else { return (fill(["  No station matches the search."], page), nil) }
    // The cursor stays in the middle of a long list.
    let first = max(0, min(picker.cursor - page / 2, picker.shown.count - page))
    let visible = picker.shown[first..<min(picker.shown.count, first + page)]
    let layout = StationRow(picker.entries, width: width)
    let list = visible.enumerated().map { place, index in
      let entry = picker.entries[index]
      let isPlaying = playing?.name == entry.station.name
      let row = layout.line(entry, isPlaying ? playing?.line.title : nil)
      let line = (isPlaying ? "♪" : " ") + row
      // The cursor's line is in reverse video up to the edge.
      return first + place == picker.cursor ? TextColumns.fit("→" + line, to: width) : " " + line
    }
    return (fill(list, page), top.count + picker.cursor - first)
  }

  private var width: Int { max(1, columns - 1) }

  private func fill(_ middle: [String], _ page: Int) -> [String] {
    let rest = Array(repeating: "", count: max(0, page - middle.count))
    return (top + Array(middle.prefix(page)) + rest + bottom).map { TextColumns.cut($0, to: width) }
  }

  private var top: [String] {
    guard rows >= Self.minRows || picker.search != nil else { return [] }
    let count = picker.entries.count
    let all = "\(count) station\(count == 1 ? "" : "s")"
    let left = picker.search.map { "  Search: \($0)▏  \(picker.shown.count) of \(all)" } ?? "  Bakelite  \(all)"
    let place = shortPlace(width - TextColumns.count(left) - 2)
    let room = width - TextColumns.count(left) - TextColumns.count(place)
    let line = place.isEmpty ? left : left + String(repeating: " ", count: room) + place
    return rows < Self.minRows ? [line] : [line, ""]
  }

  /// Returns the path without its first folders, in at most `room` columns; empty if only the file's name fits.
  private func shortPlace(_ room: Int) -> String {
    var parts = place.split(separator: "/", omittingEmptySubsequences: false)
    if TextColumns.count(place) <= room { return place }
    while parts.count > 2 {
      parts.removeFirst()
      let short = "…/" + parts.joined(separator: "/")
      if TextColumns.count(short) <= room { return short }
    }
    return ""
  }

  private var bottom: [String] {
    let words = messages.flatMap { TextColumns.wrap($0, to: width - 2) }.suffix(max(3, rows / 3)).map { "  \($0)" }
    let line = playing.map { ["  " + $0.line.line(width: width - 2)] } ?? []
    let space = words.isEmpty && line.isEmpty ? [] : [""]
    return (rows >= Self.minRows ? space + words : []) + line + (rows >= Self.minRows ? ["", "  \(hint)"] : [])
  }

  private var hint: String { hints.first { TextColumns.count($0) <= width - 2 } ?? hints[hints.count - 1] }

  /// The main keys, the longest text first.
  private var hints: [String] {
    if picker.search != nil {
      return ["Enter plays   ↑ ↓ move   Esc ends the search", "Enter plays   ↑ ↓ move   Esc ends it"]
    }
    if let playing {
      let seek = playing.line.seeks ? "← → seek   " : ""
      return [
        "Space pauses   \(seek)/ searches   ? all keys   q stops, back to the list",
        "Space pauses  / searches  ? keys  q stops",
      ]
    }
    return ["Enter plays   / searches   ? all keys   q quits", "Enter plays   / searches   ? keys   q quits"]
  }

  /// With fewer rows only stations and the live line are shown.
  private static let minRows = 10
}

/// A row of a list of stations: number, name, and address or title.
struct StationRow {
  private let digits: Int
  private let name: Int
  private let rest: Int

  /// `width`: the columns, including two for markers.
  init(_ entries: [StationList.Entry], width: Int) {
    digits = entries.map { String($0.number).count }.max() ?? 1
    let longest = entries.map { TextColumns.count($0.station.name) }.max() ?? 0
    let room = max(1, width - digits - 4)
    name = min(longest, max(min(room, 16), room * 3 / 5))
    rest = room - name - 2
  }

  /// Returns the row. `title`: replaces the address of the playing station.
  func line(_ entry: StationList.Entry, _ title: String?) -> String {
    let number = String(entry.number)
    let start = String(repeating: " ", count: digits - number.count) + number + "  "
    let shown = DisplayText.line(title ?? entry.station.url.description)
    guard rest >= 8, !shown.isEmpty else { return start + TextColumns.cut(entry.station.name, to: name) }
    return start + TextColumns.fit(entry.station.name, to: name) + "  " + TextColumns.cut(shown, to: rest)
  }
}

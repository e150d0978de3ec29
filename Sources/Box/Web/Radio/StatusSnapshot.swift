import Framing
import Json

/// A reply of `radio_status`.
struct StatusSnapshot: Equatable {
  private let lines: [AnswerLine]
  /// The number of the current preset, from 1; nil for another station.
  private let preset: Int?

  init(_ lines: [AnswerLine], preset: Int?) { (self.lines, self.preset) = (lines, preset) }

  /// Keys that change constantly; a change of these keys alone sends no event to pages.
  private static let restless: Set = [
    "level_l", "level_r", "peak_l", "peak_r", "spectrum", "rss_anon", "blocks_used", "block_playing", "byte_offset",
  ]

  subscript(key: String) -> String? { lines.first { $0.key == key }?.value }

  func number(_ key: String) -> Double? { self[key].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

  func isOn(_ key: String) -> Bool { self[key] == "1" }

  var json: JsonLine {
    var line: JsonLine = ["radio": true]
    for pair in lines { line.add(told: pair.key, pair.value) }
    if let preset { line.add("preset", preset) }
    return line
  }

  /// Returns the values that differ in a later snapshot, with null for removed keys. Nil if no value for pages differs.
  func changes(to later: StatusSnapshot) -> JsonLine? {
    var line = JsonLine()
    let old = Dictionary(lines.map { ($0.key, $0.value) }) { first, _ in first }
    let new = Set(later.lines.map(\.key))
    for pair in later.lines where !Self.restless.contains(pair.key) && old[pair.key] != pair.value {
      line.add(told: pair.key, pair.value)
    }
    for pair in lines where !new.contains(pair.key) { line.add(pair.key, nil as String?) }
    if preset != later.preset { line.add("preset", later.preset) }
    return line.isEmpty ? nil : line
  }
}

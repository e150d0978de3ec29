/// A list of the station directory, or the reason for its absence.
enum FindScreen {
  static func draw(_ find: Find, _ view: PanelView, on screen: inout Screen) {
    guard let entries = FindEntries(find.page, view.found) else {
      return draw(screen.texts.directory(view.found), on: &screen)
    }
    let top = screen.isTall ? 1 : 0
    if screen.isTall { head(entries, on: &screen) }
    let room = screen.rows - top
    let first = max(0, min(entries.cursor - (screen.isTall ? 1 : 0), entries.count - room))
    for (row, place) in (first..<min(entries.count, first + room)).enumerated() {
      guard let entry = entries[place] else { continue }
      let line = Line(entry, at: place, entries, view, screen)
      draw(line, isAtCursor: place == entries.cursor, row: top + row, on: &screen)
    }
  }

  private static func head(_ entries: FindEntries, on screen: inout Screen) {
    let total = entries.count - 1
    let isCounted = entries.list != .start && entries.cursor < total
    let place = isCounted ? "\(entries.cursor + 1)/\(total)" : ""
    let width = screen.columns - (place.isEmpty ? 0 : place.count + 1)
    let title = entries.asksCountry ? screen.texts.asksCountry : Line.title(entries.list, screen.texts)
    screen.entry(screen.form(title, width: width), row: 0, column: 0, width: width)
    screen.text(place, row: 0, side: .right)
  }

  private static func draw(_ line: Line, isAtCursor: Bool, row: Int, on screen: inout Screen) {
    if isAtCursor { screen.text("→", row: row) }
    let end = screen.columns - (line.note.isEmpty && line.mark == nil ? 0 : max(1, line.note.count) + 1)
    let name = screen.form(line.name, width: end - 1)
    screen.entry(name, scrolls: isAtCursor, row: row, column: 1, width: end - 1)
    screen.text(line.note, row: row, side: .right)
    if let mark = line.mark { screen.put(mark, row: row, column: screen.columns - 1) }
  }

  /// Draws a reason and its remedy.
  static func draw(_ text: FaultText, on screen: inout Screen) {
    screen.text(fitting: text.what, row: 0)
    let doing = screen.form(text.doing)
    guard screen.isTall else { return screen.scroll(doing, row: 1, width: screen.columns) }
    // A long text continues in the next row at the first word that does not fit.
    let (typesetter, columns) = (screen.typesetter, screen.columns)
    let ends = doing.indices.filter { doing[$0] == " " } + [doing.endIndex]
    let blank = ends.last { typesetter.cells(String(doing[..<$0])).count <= columns } ?? doing.endIndex
    screen.text(String(doing[..<blank]), row: 2)
    screen.text(String(doing[blank...].drop { $0 == " " }), row: 3)
  }

  private struct Line {
    var name: FittedText
    var note = ""
    var mark: Glyph?

    init(_ entry: FindEntries.Entry, at place: Int, _ entries: FindEntries, _ view: PanelView, _ screen: Screen) {
      let texts = screen.texts
      switch entry {
      case .start(let list): name = texts.find(list)
      case .back:
        if case .letters(let beginning) = entries.list, !beginning.isEmpty {
          name = texts.letterBack
        } else {
          name = texts.label(.back)
        }
      case .row(let row):
        name = Self.name(of: row, in: entries.list, texts)
        if screen.typesetter.cells(name.forms[0]).isEmpty {
          name = row.count == nil ? texts.unwritable(place + 1) : "?"
        }
        note = row.count.map { "\(max(0, min($0, 99_999)))" } ?? (row.isAlive ? "" : "x")
        if row.isTuned { (note, mark) = ("", view.fault == nil ? StationScreen.icon(view) : .networkOff) }
      }
    }

    /// A letter follows the letters already chosen.
    private static func name(of row: FindRow, in list: FindList, _ texts: any DisplayTexts) -> FittedText {
      guard case .letters(let beginning) = list, case .list(let target) = row.target else {
        return FittedText(row.name)
      }
      return target == .names(beginning: beginning) ? texts.allNames : title(target, texts)
    }

    static func title(_ list: FindList, _ texts: any DisplayTexts) -> FittedText {
      switch list {
      case .genre(let name), .country(_, let name): FittedText(name)
      case .letters(let beginning) where !beginning.isEmpty: FittedText(spelt(beginning))
      case .names(let beginning): FittedText(spelt(beginning))
      default: texts.find(list)
      }
    }

    private static func spelt(_ beginning: String) -> String {
      String(beginning.uppercased().map { $0 == " " ? "_" : $0 })
    }
  }
}

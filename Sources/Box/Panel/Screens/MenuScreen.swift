enum MenuScreen {
  static func draw(_ menu: Menu, _ view: PanelView, _ settings: PanelSettings, on screen: inout Screen) {
    switch menu.page {
    case .info(let top):
      for (row, line) in InfoText.lines(view, screen.texts).dropFirst(top).prefix(screen.rows).enumerated() {
        screen.scroll(screen.form(line), row: row, width: screen.columns)
      }
      return
    case .rooms(let cursor) where !view.rooms.isEmpty:
      return RoomScreen.draw(view.rooms, cursor: cursor, on: &screen)
    case .room(let number):
      if let room = view.rooms.first(where: { $0.number == number }) { return RoomScreen.draw(room, on: &screen) }
    case .recordings(let cursor): return ShelfScreen.draw(view.shelf, cursor: cursor, on: &screen)
    case .deleting(let entry, _, let isSure): return ShelfScreen.draw(entry, isSure: isSure, on: &screen)
    case .episodes(let cursor):
      return screen.list(
        view.episodes, current: view.episodeIndex, cursor: min(cursor, max(0, view.episodes.count - 1)))
    case .moving(let from, let to) where view.stations.indices.contains(from):
      var stations = view.stations
      let place = min(to, stations.count - 1)
      stations.insert(stations.remove(at: from), at: place)
      return screen.list(stations, current: place, cursor: place)
    default: break
    }
    let items = Menu.items(view)
    let cursor = menu.row(view)
    for (row, index) in screen.window(over: items.count, cursor: cursor) {
      if index == cursor { screen.text("→", row: row) }
      let item = items[index]
      let value = Value(of: item, isAtCursor: index == cursor, menu, view, settings, screen.texts)
      draw(screen.texts.label(item), value, row: row, on: &screen)
    }
  }

  /// Draws an entry and its value, in forms with a blank between them.
  private static func draw(_ label: FittedText, _ value: Value?, row: Int, on screen: inout Screen) {
    guard let value else { return screen.text(fitting: label, row: row, column: 1) }
    let least = screen.typesetter.cells(label.forms.last ?? "").count
    let brackets = value.isChoosing ? 2 : 0
    let text = screen.form(value.text, width: screen.columns - least - brackets - 2)
    let shown = value.isChoosing ? "[\(text)]" : text
    let width = screen.columns - 2 - screen.typesetter.cells(shown).count
    screen.text(screen.form(label, width: width), row: row, column: 1)
    screen.text(shown, row: row, side: .right)
  }

  private struct Value {
    var text: FittedText
    var isChoosing = false

    init?(
      of item: MenuItem, isAtCursor: Bool, _ menu: Menu, _ view: PanelView, _ settings: PanelSettings,
      _ texts: any DisplayTexts
    ) {
      let choices = Menu.choices(item)
      if case .choosing(item, let choice) = menu.page {
        (text, isChoosing) = (Self.words(choices[choice], texts), true)
      } else if isAtCursor, case .removing(_, let isSure) = menu.page {
        (text, isChoosing) = (isSure ? texts.yes : texts.no, true)
      } else if item == .sleep {
        text = texts.sleep(view.sleepMinutes)
      } else if item == .record {
        text = view.recording.map { FittedText(DurationText.clock($0.seconds)) } ?? texts.off
      } else if !choices.isEmpty {
        text = Self.words(choices[Menu.chosen(item, settings, sleep: nil)], texts)
      } else {
        return nil
      }
    }

    private static func words(_ choice: PanelOrder, _ texts: any DisplayTexts) -> FittedText {
      switch choice {
      case .sleep(let minutes): texts.sleep(minutes)
      case .setting(let setting): texts.value(setting)
      default: ""
      }
    }
  }
}

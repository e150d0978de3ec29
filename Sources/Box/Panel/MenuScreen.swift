import PanelWords

/// The menu, or what is chosen in it.
enum MenuScreen {
  static func draw(
    _ menu: Menu, _ view: PanelView, _ settings: PanelSettings, _ mode: KnobMode, on screen: inout Screen
  ) {
    if case .info(let top) = menu.page {
      for (row, line) in Menu.info(view).dropFirst(top).prefix(screen.rows).enumerated() {
        screen.scroll(line, row: row, width: screen.columns)
      }
      return
    }
    if case .episodes(let cursor) = menu.page {
      return screen.list(
        view.episodes, current: view.episodeIndex, cursor: min(cursor, max(0, view.episodes.count - 1)))
    }
    if case .moving(let from, let to) = menu.page, view.stations.indices.contains(from) {
      var stations = view.stations
      let place = min(to, stations.count - 1)
      stations.insert(stations.remove(at: from), at: place)
      return screen.list(stations, current: place, cursor: place)
    }
    let items = Menu.items(view)
    let cursor = menu.row(view)
    for (row, index) in screen.window(over: items.count, cursor: cursor) {
      let item = items[index]
      if index == cursor { screen.text("→", row: row) }
      screen.text(label(item, on: screen), row: row, column: 1)
      let choices = Menu.choices(item)
      if case .choosing(item, let choice) = menu.page {
        screen.text("[\(choices[choice])]", row: row, side: .right)
      } else if index == cursor, case .removing(_, let isSure) = menu.page {
        screen.text(isSure ? "[yes]" : "[no]", row: row, side: .right)
      } else if item == .sleep {
        screen.text(Menu.sleepWords(view.sleepMinutes), row: row, side: .right)
      } else if item == .record {
        screen.text(view.recording.map { DurationText.clock($0.seconds) } ?? "off", row: row, side: .right)
      } else if !choices.isEmpty {
        screen.text(choices[Menu.chosen(item, settings, mode, sleep: nil)], row: row, side: .right)
      }
    }
  }

  private static func label(_ item: Menu.Item, on screen: Screen) -> String {
    switch item {
    case .episodes: "Episodes"
    case .record: "Record"
    case .keep: screen.words("Keep song", "Keep this song")
    case .keepPrevious: screen.words("Keep last", "Keep the last song")
    case .face: screen.words("Show", "Display")
    case .sleep: screen.words("Sleep", "Sleep in")
    case .knob: screen.words("Knob", "Knob turns")
    case .scrolling: screen.words("Scroll", "Scroll speed")
    case .idleClock: screen.words("Clock", "Idle clock")
    case .keepPreset: screen.words("Keep preset", "Keep as preset")
    case .movePreset: screen.words("Move preset", "Move this preset")
    case .removePreset: screen.words("Remove", "Remove preset")
    case .info: "Info"
    case .back: "Back"
    }
  }
}

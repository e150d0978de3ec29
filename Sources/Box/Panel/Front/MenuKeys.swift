import PanelWords

extension Menu {
  /// The result of choosing the entry at the cursor.
  enum Outcome: Equatable {
    case open(Menu, PanelOrder?)
    case closed([PanelOrder])
    case record
    case question
    case find
  }

  /// Returns the menu after a turn of the knob. `rows`: rows of the display.
  func moved(by step: Int, _ view: PanelView, _ texts: any DisplayTexts, rows: Int) -> Menu {
    var menu = self
    switch page {
    case .list: menu.cursor = max(0, min(Menu.items(view).count - 1, cursor + step.signum()))
    case .rooms(let cursor): menu.page = .rooms(max(0, min(view.rooms.count, cursor + step.signum())))
    case .room: break
    case .episodes(let cursor): menu.page = .episodes(max(0, min(view.episodes.count - 1, cursor + step)))
    case .recordings(let cursor): menu.page = .recordings(Self.recording(cursor, movedBy: step, view))
    case .deleting(let entry, let cursor, _): menu.page = .deleting(entry, at: cursor, isSure: step > 0)
    case .choosing(let item, let choice):
      menu.page = .choosing(item, max(0, min(Menu.choices(item).count - 1, choice + step.signum())))
    case .moving(let from, let to):
      menu.page = .moving(from: from, to: max(0, min(view.stations.count - 1, to + step)))
    case .removing(let place, _): menu.page = .removing(place, isSure: step > 0)
    case .info(let top):
      menu.page = .info(top: max(0, min(InfoText.lines(view, texts).count - rows, top + step.signum())))
    }
    return menu
  }

  /// Returns the orders of a turn: the volume of the chosen room.
  func orders(turnedBy clicks: Int, _ view: PanelView, _ settings: PanelSettings) -> [PanelOrder] {
    guard case .room(let number) = page, let room = view.rooms.first(where: { $0.number == number }) else { return [] }
    let volume = max(0, min(100, room.volume + max(-100, min(100, clicks)) * settings.volumeStep))
    return volume == room.volume ? [] : [.room(number, volume: volume)]
  }

  /// Returns the previous page of a room, of the recordings, or of their question; nil for other pages.
  func back(_ view: PanelView) -> Menu? {
    var menu = self
    switch page {
    case .room(let number) where !view.rooms.isEmpty:
      menu.page = .rooms(view.rooms.firstIndex { $0.number == number } ?? 0)
    case .recordings: menu.page = .list
    case .deleting(_, let cursor, _): menu.page = .recordings(cursor)
    default: return nil
    }
    return menu
  }

  func taken(_ view: PanelView, _ settings: PanelSettings) -> Outcome {
    var next = self
    var order: PanelOrder?
    switch (page, item(view)) {
    case (.list, .back): return .closed([])
    case (.list, .guest): return .closed([.takeBack])
    case (.list, .rooms): next.page = .rooms(0)
    case (.rooms(let place), _):
      next.page = view.rooms.indices.contains(place) ? .room(view.rooms[place].number) : .list
    case (.room(let number), _):
      if let room = view.rooms.first(where: { $0.number == number }) {
        order = .muteRoom(number, !room.isMuted)
      } else {
        next.page = .list
      }
    case (.list, .episodes): next.page = .episodes(view.episodeIndex ?? 0)
    case (.episodes(let place), _): return .closed(view.episodes.indices.contains(place) ? [.episode(place)] : [])
    case (.list, .recordings): next.page = .recordings(0)
    case (.recordings(let cursor), _): return chosenRecording(at: cursor, view)
    case (.deleting(let entry, let cursor, let isSure), _):
      next.page = .recordings(cursor)
      if isSure { order = .deleteRecording(entry.name) }
    case (.list, .keepPreset): return .closed([.keepPreset])
    case (.list, .movePreset): next.page = view.stationIndex.map { .moving(from: $0, to: $0) } ?? .list
    case (.moving(let from, let to), _): return .closed(from == to ? [] : [.movePreset(from: from, to: to)])
    case (.list, .removePreset): next.page = view.stationIndex.map { .removing($0, isSure: false) } ?? .list
    case (.removing(let place, true), _): return .closed([.removePreset(place)])
    case (.removing, _): next.page = .list
    case (.list, .info): next.page = .info(top: 0)
    case (.list, .moved): return .question
    case (.list, .record): return .record
    case (.list, .find): return .find
    case (.list, .keep): return .closed([.keep])
    case (.list, .keepPrevious): return .closed([.keepPrevious])
    case (.list, let item): next.page = .choosing(item, Menu.chosen(item, settings, sleep: view.sleepMinutes))
    case (.choosing(let item, let choice), _):
      (next.page, next.cursor) = (.list, row(view))
      order = Menu.choices(item)[choice]
    case (.info, _): next.page = .list
    }
    return .open(next, order)
  }
}

import PanelWords
import Units

/// What keys and knob mean in the menu.
extension FrontPanel {
  /// Opens the menu; leaves a choice as it was, and else the menu.
  mutating func menuKey(_ now: MonotonicTime) -> [PanelCommand] {
    guard case .menu(var menu) = overlay else {
      open(.menu(Menu()), until: now + Stay.menu)
      return []
    }
    if menu.place == .list {
      close()
    } else {
      menu.place = .list
      open(.menu(menu), until: now + Stay.menu)
    }
    return []
  }

  /// Takes what the display points at; with nothing to point at, opens the menu.
  mutating func select(_ view: PanelView, _ now: MonotonicTime) -> [PanelCommand] {
    switch overlay {
    case .tuning(let cursor, let due):
      close()
      return due == nil ? [] : tune(cursor, view)
    case .volume, .timeShift, .recording, .notice:
      close()
      return []
    case .menu(let menu): return select(in: menu, view, now)
    case nil: return view.isStandby ? [.playPause] : menuKey(now)
    }
  }

  /// Turns the knob in the menu: the cursor, a choice, or the lines of the info.
  func moved(_ menu: Menu, by step: Int, _ view: PanelView) -> Menu {
    var menu = menu
    switch menu.place {
    case .list: menu.cursor = max(0, min(Menu.items(view).count - 1, menu.cursor + step.signum()))
    case .episodes(let cursor): menu.place = .episodes(max(0, min(view.episodes.count - 1, cursor + step)))
    case .choosing(let choice):
      menu.place = .choosing(max(0, min(Menu.choices(menu.item(view)).count - 1, choice + step.signum())))
    case .moving(let from, let to):
      menu.place = .moving(from: from, to: max(0, min(view.stations.count - 1, to + step)))
    case .removing(let place, _): menu.place = .removing(place, isSure: step > 0)
    case .info(let top):
      menu.place = .info(top: max(0, min(Menu.info(view).count - rows, top + step.signum())))
    }
    return menu
  }

  private mutating func select(in menu: Menu, _ view: PanelView, _ now: MonotonicTime) -> [PanelCommand] {
    var next = menu
    var commands: [PanelCommand] = []
    switch (menu.place, menu.item(view)) {
    case (.list, .back):
      close()
      return []
    case (.list, .episodes): next.place = .episodes(view.episodeIndex ?? 0)
    case (.episodes(let place), _):
      close()
      return view.episodes.indices.contains(place) ? [.episode(place)] : []
    case (.list, .keepPreset):
      close()
      return [.keepPreset]
    case (.list, .movePreset): next.place = view.stationIndex.map { .moving(from: $0, to: $0) } ?? .list
    case (.moving(let from, let to), _):
      close()
      return from == to ? [] : [.movePreset(from: from, to: to)]
    case (.list, .removePreset): next.place = view.stationIndex.map { .removing($0, isSure: false) } ?? .list
    case (.removing(let place, true), _):
      close()
      return [.removePreset(place)]
    case (.removing, _): next.place = .list
    case (.list, .info): next.place = .info(top: 0)
    case (.list, .record): return record(view, now)
    case (.list, .keep), (.list, .keepPrevious):
      close()
      return [menu.item(view) == .keep ? .keep : .keepPrevious]
    case (.list, let item):
      next.place = .choosing(Menu.chosen(item, settings, knobMode, sleep: view.sleepMinutes))
    case (.choosing(let choice), let item):
      next.place = .list
      commands = choose(choice, of: item)
    case (.info, _): next.place = .list
    }
    open(.menu(next), until: now + Stay.menu)
    return commands
  }

  private mutating func choose(_ choice: Int, of item: Menu.Item) -> [PanelCommand] {
    switch item {
    case .sleep: return [.sleep(minutes: Menu.sleepChoices[choice])]
    case .knob:
      knobMode = KnobMode.allCases[choice]
      settings.knobMode = knobMode
      return [.setting(.knobMode(knobMode))]
    case .scrolling:
      settings.scrollMilliseconds = Menu.scrollChoices[choice]
      return [.setting(.scrollMilliseconds(settings.scrollMilliseconds))]
    case .idleClock:
      settings.idleClock = choice == 1
      return [.setting(.idleClock(settings.idleClock))]
    case .face:
      settings.face = PanelFace.allCases[choice]
      return [.setting(.face(settings.face))]
    case .episodes, .record, .keep, .keepPrevious, .keepPreset, .movePreset, .removePreset, .info, .back: return []
    }
  }
}

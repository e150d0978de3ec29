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

  private mutating func select(in menu: Menu, _ view: PanelView, _ now: MonotonicTime) -> [PanelCommand] {
    switch menu.taken(view, settings, knobMode) {
    case .record: return record(view, now)
    case .closed(let commands):
      close()
      return commands
    case .open(let next, let command):
      if case .setting(let setting)? = command { settings.adopt(setting) }
      knobMode = settings.knobMode
      open(.menu(next), until: now + Stay.menu)
      return command.map { [$0] } ?? []
    }
  }
}

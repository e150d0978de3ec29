extension Menu {
  /// True while the recordings or a question about a recording are shown.
  var showsRecordings: Bool {
    switch page {
    case .recordings, .deleting: true
    default: false
    }
  }

  /// The question before a deletion; nil without a recording at the cursor.
  func asksDeletion(_ view: PanelView) -> Menu? {
    guard case .recordings(let cursor) = page, let entry = view.recording(at: cursor) else { return nil }
    var menu = self
    menu.page = .deleting(entry, at: cursor, isSure: false)
    return menu
  }

  /// The position after a turn from `cursor`. A single step wraps around both ends; several steps stop there.
  static func recording(_ cursor: Int, movedBy step: Int, _ view: PanelView) -> Int {
    let last = view.shelf?.entries.count ?? 0
    let place = min(cursor, last) + step
    if abs(step) == 1, !(0...last).contains(place) { return step > 0 ? 0 : last }
    return max(0, min(last, place))
  }

  /// The outcome of a press in the recordings: plays, or leads back to the menu.
  func chosenRecording(at cursor: Int, _ view: PanelView) -> Outcome {
    if let entry = view.recording(at: cursor) { return .closed([.playRecording(entry.name)]) }
    var menu = self
    menu.page = .list
    return .open(menu, nil)
  }
}

extension PanelView {
  /// The recording at a position of the list; nil for the last position, or without a list.
  fileprivate func recording(at cursor: Int) -> PanelShelf.Entry? {
    guard let entries = shelf?.entries, entries.indices.contains(cursor) else { return nil }
    return entries[cursor]
  }
}

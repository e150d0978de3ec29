import PanelWords

struct Menu: Equatable {
  enum Page: Equatable {
    case list
    /// Choosing a value of an item, by position. The item stays if the list changes.
    case choosing(MenuItem, Int)
    /// Choosing a room, by position; the last position goes back.
    case rooms(Int)
    case room(Int)
    case episodes(Int)
    /// Choosing a recording, by position; the last position goes back.
    case recordings(Int)
    case deleting(PanelShelf.Entry, at: Int, isSure: Bool)
    case moving(from: Int, to: Int)
    case removing(Int, isSure: Bool)
    case info(top: Int)
  }

  static let sleepChoices = [nil, 15, 30, 45, 60, 90, 120]

  var cursor = 0
  var page = Page.list

  /// The items that apply now; a box that is a room has few.
  static func items(_ view: PanelView) -> [MenuItem] {
    MenuItem.allCases.filter { item in
      if view.room != nil, ![.rooms, .info, .back].contains(item) { return false }
      return switch item {
      case .guest: view.guest != nil
      case .rooms: !view.rooms.isEmpty
      case .episodes: !view.episodes.isEmpty
      case .moved: view.question != nil
      case .record, .keep, .keepPrevious: view.state != .stopped
      case .keepPreset: view.state != .stopped && view.stationIndex == nil
      case .movePreset: view.stationIndex != nil && view.stations.count > 1
      case .removePreset: view.stationIndex != nil
      default: true
      }
    }
  }

  func item(_ view: PanelView) -> MenuItem { Self.items(view)[row(view)] }

  /// The row of the cursor; while a value is chosen, the current row of its item.
  func row(_ view: PanelView) -> Int {
    let items = Self.items(view)
    if case .choosing(let item, _) = page, let row = items.firstIndex(of: item) { return row }
    return min(cursor, items.count - 1)
  }

  /// The orders for the values of an item; empty for an item without values.
  static func choices(_ item: MenuItem) -> [PanelOrder] {
    switch item {
    case .sleep: sleepChoices.map { .sleep(minutes: $0) }
    case .knob: KnobMode.allCases.map { .setting(.knobMode($0)) }
    case .scrolling: ScrollSpeed.allCases.map { .setting(.scrollMilliseconds($0.rawValue)) }
    case .face: PanelFace.allCases.map { .setting(.face($0)) }
    case .idleClock: [false, true].map { .setting(.idleClock($0)) }
    case .language: Language.allCases.map { .setting(.language($0)) }
    case .web: [false, true].map { .setting(.web($0)) }
    case .guest, .rooms, .episodes, .find, .moved, .record, .keep, .keepPrevious, .recordings, .keepPreset,
      .movePreset, .removePreset, .info, .back:
      []
    }
  }

  static func chosen(_ item: MenuItem, _ settings: PanelSettings, sleep: Int?) -> Int {
    switch item {
    case .sleep: sleep.map { left in sleepChoices.firstIndex { $0.map { $0 >= left } ?? false } ?? 0 } ?? 0
    case .knob: KnobMode.allCases.firstIndex(of: settings.knobMode) ?? 0
    case .scrolling: ScrollSpeed.allCases.firstIndex(of: ScrollSpeed(milliseconds: settings.scrollMilliseconds)) ?? 0
    case .idleClock: settings.idleClock ? 1 : 0
    case .face: PanelFace.allCases.firstIndex(of: settings.face) ?? 0
    case .language: Language.allCases.firstIndex(of: settings.language) ?? 0
    case .web: settings.isWebOn ? 1 : 0
    case .guest, .rooms, .episodes, .find, .moved, .record, .keep, .keepPrevious, .recordings, .keepPreset,
      .movePreset, .removePreset, .info, .back:
      0
    }
  }
}

import PanelWords

/// The menu: where its cursor stands, and what is being chosen.
struct Menu: Equatable {
  enum Item: CaseIterable {
    case episodes, sleep, record, keep, keepPrevious, face, knob, scrolling, idleClock
    case keepPreset, movePreset, removePreset, info, back
  }

  enum Page: Equatable {
    case list
    /// Choosing among the values of an item, by place. The list may change meanwhile, and the item stays.
    case choosing(Item, Int)
    /// Choosing an episode, by place.
    case episodes(Int)
    /// Choosing where a preset goes, by places.
    case moving(from: Int, to: Int)
    /// Choosing whether a preset is removed.
    case removing(Int, isSure: Bool)
    /// Reading, from a line on.
    case info(top: Int)
  }

  static let sleepChoices = [nil, 15, 30, 45, 60, 90, 120]
  static let scrollChoices = [500, 350, 200]

  var cursor = 0
  var page = Page.list

  /// What there is to choose: episodes only where something has some, a recording only of what plays, and of presets
  /// what fits: what plays is kept, or, where it is one, moved or removed.
  static func items(_ view: PanelView) -> [Item] {
    Item.allCases.filter { item in
      switch item {
      case .episodes: !view.episodes.isEmpty
      case .record, .keep, .keepPrevious: view.state != .stopped
      case .keepPreset: view.state != .stopped && view.stationIndex == nil
      case .movePreset: view.stationIndex != nil && view.stations.count > 1
      case .removePreset: view.stationIndex != nil
      default: true
      }
    }
  }

  func item(_ view: PanelView) -> Item { Self.items(view)[row(view)] }

  /// Where the cursor stands in the list: at the item whose value is chosen, wherever that is by now.
  func row(_ view: PanelView) -> Int {
    let items = Self.items(view)
    if case .choosing(let item, _) = page, let row = items.firstIndex(of: item) { return row }
    return min(cursor, items.count - 1)
  }

  /// The values of an item, as it calls them.
  static func choices(_ item: Item) -> [String] {
    switch item {
    case .sleep: sleepChoices.map(sleepWords)
    case .knob: KnobMode.allCases.map(\.word)
    case .scrolling: ["slow", "normal", "fast"]
    case .face: PanelFace.allCases.map(\.rawValue)
    case .idleClock: ["off", "on"]
    case .episodes, .record, .keep, .keepPrevious, .keepPreset, .movePreset, .removePreset, .info, .back: []
    }
  }

  /// Which of the values is set, or next to it.
  static func chosen(_ item: Item, _ settings: PanelSettings, _ mode: KnobMode, sleep: Int?) -> Int {
    switch item {
    case .sleep: sleep.map { left in sleepChoices.firstIndex { $0.map { $0 >= left } ?? false } ?? 0 } ?? 0
    case .knob: KnobMode.allCases.firstIndex(of: mode) ?? 0
    case .scrolling: scrollChoices.firstIndex { $0 <= settings.scrollMilliseconds } ?? 2
    case .idleClock: settings.idleClock ? 1 : 0
    case .face: PanelFace.allCases.firstIndex(of: settings.face) ?? 0
    case .episodes, .record, .keep, .keepPrevious, .keepPreset, .movePreset, .removePreset, .info, .back: 0
    }
  }

  static func sleepWords(_ minutes: Int?) -> String { minutes.map { "\(min($0, 999)) min" } ?? "off" }

  /// What the radio tells about itself.
  static func info(_ view: PanelView) -> [String] {
    let capacity = view.capacity.map { " of \(DurationText.clock($0))" } ?? ""
    return [
      view.station.isEmpty ? "No station" : view.station,
      StationScreen.format(view),
      "Buffer \(DurationText.brief(view.held))",
      "Held \(DurationText.clock(view.held + view.heldBehind))\(capacity)",
      view.recording.map { "Recording \(DurationText.clock($0.seconds))" } ?? "",
      view.recording?.roomSeconds.map { "Room for \(DurationText.brief($0))" } ?? "",
      view.address.isEmpty ? "No network" : view.address,
      "Bakelite \(view.version)",
    ].filter { !$0.isEmpty }
  }
}

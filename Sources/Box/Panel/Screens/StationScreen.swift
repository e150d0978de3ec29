enum StationScreen {
  static func draw(_ view: PanelView, on screen: inout Screen) {
    let name = name(view, on: screen)
    screen.put(icon(view), row: 0, column: 0)
    if screen.isTall {
      screen.scroll(name, row: 0, column: 2, width: screen.columns - 2)
      tallMiddle(view, on: &screen)
      tallFoot(view, on: &screen)
    } else {
      let right = view.state == .stopped ? "" : corner(view, screen.texts, isShort: true)
      let gauge = view.state == .stopped ? nil : level(fill(view))
      let end = screen.columns - (gauge == nil ? 0 : 2)
      screen.text(right, row: 0, column: max(0, end - right.count))
      if view.recording != nil {
        screen.put(.record, row: 0, column: screen.columns - 1)
      } else if let gauge {
        screen.put(gauge, row: 0, column: screen.columns - 1)
      }
      screen.scroll(name, row: 0, column: 2, width: max(0, end - 2 - (right.isEmpty ? 0 : right.count + 1)))
      let played = view.hasTone ? nil : words(view, on: screen) ?? programme(view)
      let parts = [instead(view, screen.texts), played]
      // At another address, the programme is the station's own.
      let line = (view.source?.kind == .address ? parts.reversed() : parts).compactMap { $0 }.filter { !$0.isEmpty }
      screen.scroll(line.joined(separator: " - "), row: 1, width: screen.columns)
    }
  }

  private static func name(_ view: PanelView, on screen: Screen) -> String {
    if view.hasTone { return screen.form(screen.texts.tone, width: screen.columns - 2) }
    return view.station.isEmpty ? "Bakelite" : view.station
  }

  /// The sentence about the station that another source replaces; nil while the station is the source.
  private static func instead(_ view: PanelView, _ texts: any DisplayTexts) -> String? {
    view.guest == nil ? view.source.map(texts.instead) : nil
  }

  private static func tallMiddle(_ view: PanelView, on screen: inout Screen) {
    let isQuiet = view.state == .stopped || view.guest != nil
    let titles = isQuiet ? [] : [view.artist, view.title]
    var lines = ([words(view, on: screen)] + titles).compactMap { $0 }.filter { !$0.isEmpty }
    if lines.count < 2, !isQuiet { lines.append(view.format) }
    if let sentence = instead(view, screen.texts) {
      lines = view.hasTone ? [sentence] : [words(view, on: screen) ?? programme(view), sentence]
    }
    for (index, line) in lines.prefix(2).enumerated() { screen.scroll(line, row: 1 + index, width: screen.columns) }
  }

  private static func tallFoot(_ view: PanelView, on screen: inout Screen) {
    let right = corner(view, screen.texts, isShort: false)
    screen.text(right, row: 3, side: .right)
    let icons = [view.sleepMinutes == nil ? nil : Glyph.clock, view.recording == nil ? nil : Glyph.record]
    for (place, icon) in icons.compactMap({ $0 }).enumerated() {
      screen.put(icon, row: 3, column: screen.columns - right.count - 2 - place)
    }
    if view.state != .stopped { screen.bar(fill(view), row: 3, column: 0, width: screen.columns / 2) }
  }

  static func icon(_ view: PanelView) -> Glyph {
    if view.hasTone { return .buffering }
    return switch view.state {
    case .stopped: .stop
    case .paused: .pause
    case .playing where view.isAudible: .play
    case .connecting where view.isAudible: .play
    case .playing, .connecting, .buffering: .buffering
    }
  }

  /// The filled part of the bar: of a file, or else of the buffer.
  static func fill(_ view: PanelView) -> Double {
    if let position = view.position, let duration = view.duration, duration > 0 { return position / duration }
    return view.held / max(1, view.bufferTarget)
  }

  /// A column for a fraction; blank at zero.
  private static func level(_ fraction: Double) -> Glyph? {
    let eighths = Screen.steps(fraction, of: 8)
    return eighths == 0 ? nil : eighths == 8 ? .full : Glyph.levels[eighths - 1]
  }

  /// The guest's name or a silent state in words; nil if the title is shown instead.
  private static func words(_ view: PanelView, on screen: Screen) -> String? {
    if let guest = view.guest { return screen.form(screen.texts.plays(guest)) }
    switch view.state {
    case .stopped: return screen.form(screen.texts.stopped)
    case .connecting where !view.isAudible: return screen.form(screen.texts.connecting)
    case .buffering where view.bufferTarget >= 1:
      let progress = "\(DurationText.whole(view.held))/\(DurationText.whole(view.bufferTarget)) s"
      return screen.form(screen.texts.buffering(progress))
    case .buffering: return screen.form(screen.texts.buffering(nil))
    default: return nil
    }
  }

  private static func programme(_ view: PanelView) -> String {
    let parts = [view.artist, view.title].filter { !$0.isEmpty }
    return parts.isEmpty ? view.format : parts.joined(separator: " - ")
  }

  /// The reason for silence, the time shift or a file's time; if there is room, the time of day.
  private static func corner(_ view: PanelView, _ texts: any DisplayTexts, isShort: Bool) -> String {
    if view.isMuted { return texts.muteMark }
    if view.volume <= 0 { return texts.silentMark }
    if let position = view.position { return DurationText.clock(position) }
    if view.timeShift >= 1 { return "-" + DurationText.clock(view.timeShift) }
    if isShort { return "" }
    return view.clock?.text ?? (view.state == .playing ? "LIVE" : "")
  }
}

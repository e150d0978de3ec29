import Units

/// What is on: playing, paused, connecting, stopped; boot, idle and trouble.
extension Screen {
  mutating func station(_ view: PanelView) {
    let name = view.station.isEmpty ? "Bakelite" : view.station
    put(Self.icon(view), row: 0, column: 0)
    if isTall {
      scroll(name, row: 0, column: 2, width: columns - 2)
      tallMiddle(view)
      tallFoot(view)
    } else {
      let right = view.state == .stopped ? "" : Self.corner(view, isShort: true)
      let level = view.state == .stopped ? nil : Self.level(Self.fill(view))
      let end = columns - (level == nil ? 0 : 2)
      text(right, row: 0, column: max(0, end - right.count))
      if view.recording != nil {
        put(.record, row: 0, column: columns - 1)
      } else if let level {
        put(level, row: 0, column: columns - 1)
      }
      scroll(name, row: 0, column: 2, width: max(0, end - 2 - (right.isEmpty ? 0 : right.count + 1)))
      scroll(Self.words(view) ?? Self.programme(view), row: 1, width: columns)
    }
  }

  private mutating func tallMiddle(_ view: PanelView) {
    let titles = view.state == .stopped ? [] : [view.artist, view.title]
    var lines = ([Self.words(view)] + titles).compactMap { $0 }.filter { !$0.isEmpty }
    if lines.count < 2, view.state != .stopped { lines.append(Self.format(view)) }
    for (index, line) in lines.prefix(2).enumerated() { scroll(line, row: 1 + index, width: columns) }
  }

  private mutating func tallFoot(_ view: PanelView) {
    let right = Self.corner(view, isShort: false)
    text(right, row: 3, side: .right)
    let icons = [view.sleepMinutes == nil ? nil : Glyph.clock, view.recording == nil ? nil : Glyph.record]
    for (place, icon) in icons.compactMap({ $0 }).enumerated() {
      put(icon, row: 3, column: columns - right.count - 2 - place)
    }
    if view.state != .stopped { bar(Self.fill(view), row: 3, column: 0, width: columns / 2) }
  }

  static func icon(_ view: PanelView) -> Glyph {
    switch view.state {
    case .stopped: .stop
    case .paused: .pause
    case .playing where view.isAudible: .play
    case .connecting where view.isAudible: .play
    case .playing, .connecting, .buffering: .buffering
    }
  }

  /// How full the buffer is, or how far a file has come.
  private static func fill(_ view: PanelView) -> Double {
    if let position = view.position, let duration = view.duration, duration > 0 { return position / duration }
    return view.held / max(1, view.bufferTarget)
  }

  /// A column's height for a fraction; blank at nothing.
  private static func level(_ fraction: Double) -> Glyph? {
    let eighths = fraction.isNaN ? 0 : Int((max(0, min(1, fraction)) * 8).rounded())
    return eighths == 0 ? nil : eighths == 8 ? .full : Glyph.levels[eighths - 1]
  }

  /// What a state is called that plays nothing; nil where the title stands in its place.
  private static func words(_ view: PanelView) -> String? {
    switch view.state {
    case .stopped: return "Stopped"
    case .connecting where !view.isAudible: return "Connecting"
    case .buffering where view.bufferTarget >= 1:
      return "Buffering \(Duration.whole(view.held))/\(Duration.whole(view.bufferTarget)) s"
    case .buffering: return "Buffering"
    default: return nil
    }
  }

  private static func programme(_ view: PanelView) -> String {
    let parts = [view.artist, view.title].filter { !$0.isEmpty }
    return parts.isEmpty ? format(view) : parts.joined(separator: " - ")
  }

  static func format(_ view: PanelView) -> String {
    let rate = view.bitRate > 0 ? "\(min(view.bitRate, 99_999)) kbit/s" : ""
    return [view.codec, rate].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Mute, time shift or a file's time; where there is room, the time of day.
  private static func corner(_ view: PanelView, isShort: Bool) -> String {
    if view.isMuted { return "MUTE" }
    if let position = view.position { return Duration.clock(position) }
    if view.timeShift >= 1 { return "-" + Duration.clock(view.timeShift) }
    if isShort { return "" }
    return view.clock?.text ?? (view.state == .playing ? "LIVE" : "")
  }

  mutating func boot(_ view: PanelView, _ stage: BootStage) {
    let words =
      switch stage {
      case .starting: "Starting"
      case .soundCard: "Sound card"
      case .station: "Tuning in"
      }
    let version = view.version.isEmpty ? "Bakelite" : "Bakelite \(view.version)"
    text(version, row: 0, side: isTall ? .middle : .left)
    text(words, row: isTall ? 2 : 1, side: isTall ? .middle : .left)
    let width = isTall ? columns : columns - 11
    let share = Double(stage.rawValue + 1) / Double(BootStage.allCases.count)
    bar(share, row: rows - 1, column: columns - width, width: width)
  }

  mutating func idle(_ clock: WallClock) {
    if isTall { text(clock.day, row: 0, side: .middle) }
    bigClock(clock, row: isTall ? 2 : 0)
  }

  /// In four rows all that there is to say; in two, what is wrong, and by turns what is done and how long it lasts.
  mutating func trouble(_ view: PanelView, _ trouble: Trouble) {
    let words = TroubleWords(trouble)
    let doing = self.words(words.doing, words.doingLong)
    let left = bufferWords(view)
    if isTall {
      put(words.isNetwork ? .networkOff : Self.icon(view), row: 0, column: 0)
      scroll(view.station.isEmpty ? "Bakelite" : view.station, row: 0, column: 2, width: columns - 2)
      text(self.words(words.short, words.long), row: 1)
      text(doing, row: 2)
      text(left, row: 3)
      return
    }
    if words.short.count <= columns - 2 {
      if words.isNetwork { put(.networkOff, row: 0, column: 0) } else { text("!", row: 0) }
      text(words.short, row: 0, column: 2)
    } else {
      text(words.short, row: 0)
    }
    let pages = [doing, left].filter { !$0.isEmpty }
    let period = MonotonicTime(milliseconds: 3000).nanoseconds
    let turn = (now - since(words.short, row: 0)).nanoseconds / period
    text(pages[Int(turn % Int64(pages.count))], row: 1)
    if pages.count > 1 { changes(at: since(words.short, row: 0) + MonotonicTime(nanoseconds: (turn + 1) * period)) }
  }

  /// How long the sound goes on by itself; nothing where it does not.
  private func bufferWords(_ view: PanelView) -> String {
    guard Duration.whole(view.held) > 0 else { return "" }
    let seconds = Duration.brief(view.held)
    let long = "\(seconds) \(isWide && view.isAudible && view.state != .paused ? "left in" : "in") buffer"
    return long.count > columns ? "\(seconds) left" : long
  }
}

extension WallClock {
  /// Such as "14:07".
  var text: String {
    let minute = max(0, min(59, minute))
    return "\(max(0, min(23, hour))):\(minute < 10 ? "0" : "")\(minute)"
  }
}

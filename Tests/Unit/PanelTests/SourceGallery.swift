import Panel

extension Gallery {
  static let sourceScenes: [Scene] = [
    ("fallback", .replaced(), { _ in }),
    (
      "fallback, no clock",
      .replaced {
        $0.source?.station = "FIP"
        $0.source?.reason = .quiet
        $0.source?.since = nil
        $0.source?.next = .later(nil)
        ($0.artist, $0.title) = ("", "")
      }, { _ in }
    ),
    (
      "fallback, connecting",
      .replaced {
        ($0.state, $0.isAudible, $0.held) = (.connecting, false, 0)
        ($0.artist, $0.title) = ("", "")
        $0.source?.reason = .choice
        $0.source?.next = .never
      }, { _ in }
    ),
    (
      "alternative",
      .replaced {
        $0.station = "Deutschlandfunk"
        $0.source?.kind = .address
        $0.source?.reason = .fault(.serverGone(attempt: 1, nextTry: nil))
        $0.source?.next = .never
      }, { _ in }
    ),
    (
      "tone",
      .replaced {
        $0.station = "Deutschlandfunk"
        ($0.state, $0.isAudible, $0.held) = (.stopped, false, 0)
        ($0.artist, $0.title) = ("", "")
        $0.fault = .stationNotFound(nextTry: nil)
        $0.source?.kind = .tone
        $0.source?.reason = .fault(.stationNotFound(nextTry: nil))
      }, { _ in }
    ),
  ]
}

extension PanelView {
  /// A fallback that plays instead of a silent station.
  static func replaced(_ change: (inout PanelView) -> Void = { _ in }) -> PanelView {
    playing {
      $0.station = "FIP"
      var source = PanelSource(.fallback, insteadOf: "Deutschlandfunk", .noAudio)
      source.since = WallClock(hour: 14, minute: 5, weekday: 5, day: 21, month: 11)
      source.next = .later(WallClock(hour: 14, minute: 8, weekday: 5, day: 21, month: 11))
      $0.source = source
      change(&$0)
    }
  }
}

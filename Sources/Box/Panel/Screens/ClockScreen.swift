enum ClockScreen {
  static func draw(_ clock: WallClock, on screen: inout Screen) {
    if screen.isTall { screen.text(fitting: screen.texts.date(clock), row: 0, side: .middle) }
    screen.bigClock(clock, row: screen.isTall ? 2 : 0)
  }
}

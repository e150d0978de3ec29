/// The listener's position in the buffer or in a file.
enum TimeShiftScreen {
  static func draw(_ view: PanelView, on screen: inout Screen) {
    let isFile = view.position != nil
    let all = isFile ? view.duration ?? 0 : view.heldBehind + view.timeShift
    let isLive = !isFile && view.timeShift < 1
    let here = view.position.map(DurationText.clock) ?? (isLive ? "LIVE" : "-" + DurationText.clock(view.timeShift))
    let share = isLive ? 1 : all > 0 ? (view.position ?? view.heldBehind) / all : 0
    let (texts, whole) = (screen.texts, DurationText.clock(all))
    if screen.isTall {
      screen.put(StationScreen.icon(view), row: 0, column: 0)
      screen.text(fitting: isFile ? texts.position : texts.timeShift, row: 0, column: 2)
      screen.text(here, row: 1, side: .middle)
      screen.bar(share, row: 2, column: 0, width: screen.columns)
      screen.text(screen.form(isFile ? texts.length(whole) : texts.held(whole), width: screen.columns - 5), row: 3)
      if !isFile { screen.text("LIVE", row: 3, side: .right) }
    } else {
      screen.text(here, row: 0)
      let right = screen.form(isLive ? texts.held(whole) : texts.length(whole), width: screen.columns - here.count - 1)
      if here.count + right.count < screen.columns { screen.text(right, row: 0, side: .right) }
      screen.bar(share, row: 1, column: 0, width: isFile ? screen.columns : screen.columns - 5)
      if !isFile { screen.text("LIVE", row: 1, side: .right) }
    }
  }
}

import Units

enum FaultScreen {
  /// Four rows show everything; two rows show the fault, and alternate between reaction and buffer.
  static func draw(_ view: PanelView, _ fault: PanelFault, on screen: inout Screen) {
    let text = screen.texts.fault(fault)
    let (what, doing) = (screen.form(text.what), screen.form(text.doing))
    let left = bufferWords(view, on: screen)
    if screen.isTall {
      screen.put(fault.isNetwork ? .networkOff : StationScreen.icon(view), row: 0, column: 0)
      screen.scroll(view.station.isEmpty ? "Bakelite" : view.station, row: 0, column: 2, width: screen.columns - 2)
      screen.text(what, row: 1)
      screen.text(doing, row: 2)
      screen.text(left, row: 3)
      return
    }
    if what.count <= screen.columns - 2 {
      if fault.isNetwork { screen.put(.networkOff, row: 0, column: 0) } else { screen.text("!", row: 0) }
      screen.text(what, row: 0, column: 2)
    } else {
      screen.text(what, row: 0)
    }
    let pages = [doing, left].filter { !$0.isEmpty }
    let period = Duration(milliseconds: 3000).nanoseconds
    let turn = (screen.now - screen.since(what, row: 0)).nanoseconds / period
    screen.text(pages[Int(turn % Int64(pages.count))], row: 1)
    if pages.count > 1 {
      screen.changes(at: screen.since(what, row: 0) + Duration(nanoseconds: (turn + 1) * period))
    }
  }

  /// The remaining buffer in words; empty below a second.
  private static func bufferWords(_ view: PanelView, on screen: Screen) -> String {
    guard DurationText.whole(view.held) > 0 else { return "" }
    let isHeard = view.isAudible && view.state != .paused
    return screen.form(screen.texts.buffered(DurationText.brief(view.held), isHeard: isHeard))
  }
}

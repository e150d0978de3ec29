enum BootScreen {
  static func draw(_ view: PanelView, _ stage: BootStage, on screen: inout Screen) {
    let version = view.version.isEmpty ? "Bakelite" : "Bakelite \(view.version)"
    screen.text(version, row: 0, side: screen.isTall ? .middle : .left)
    let width = screen.isTall ? screen.columns : screen.columns - 11
    let words = screen.form(screen.texts.stage(stage), width: screen.isTall ? screen.columns : 10)
    screen.text(words, row: screen.isTall ? 2 : 1, side: screen.isTall ? .middle : .left)
    let share = Double(stage.rawValue + 1) / Double(BootStage.allCases.count)
    screen.bar(share, row: screen.rows - 1, column: screen.columns - width, width: width)
  }
}

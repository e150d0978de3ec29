enum RecordingScreen {
  static func draw(_ recording: PanelRecording, on screen: inout Screen) {
    screen.put(.record, row: 0, column: 0)
    let time = DurationText.clock(recording.seconds)
    let room = DurationText.room(recording.roomSeconds)
    screen.scroll(recording.name, row: 1, width: screen.columns)
    if screen.isTall {
      screen.text(fitting: screen.texts.recording, row: 0, column: 2)
      screen.text(time, row: 0, side: .right)
      if let room { screen.text(fitting: screen.texts.room(room), row: 3) }
    } else {
      screen.text(time, row: 0, column: 2)
      guard let room = room.map(screen.texts.roomLeft) else { return }
      let left = screen.form(room)
      if time.count + left.count + 3 <= screen.columns { screen.text(left, row: 0, side: .right) }
    }
  }
}

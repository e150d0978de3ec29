/// What is being recorded, and how much room is left.
enum RecordingScreen {
  static func draw(_ recording: PanelRecording, on screen: inout Screen) {
    screen.put(.record, row: 0, column: 0)
    let time = DurationText.clock(recording.seconds)
    let room = recording.roomSeconds.map { "\(DurationText.brief($0)) left" } ?? ""
    if screen.isTall {
      screen.text("Recording", row: 0, column: 2)
      screen.text(time, row: 0, side: .right)
      screen.scroll(recording.name, row: 1, width: screen.columns)
      screen.text(room.isEmpty ? "" : "Room: \(room)", row: 3)
    } else {
      screen.text(time, row: 0, column: 2)
      if time.count + room.count + 3 <= screen.columns { screen.text(room, row: 0, side: .right) }
      screen.scroll(recording.name, row: 1, width: screen.columns)
    }
  }
}

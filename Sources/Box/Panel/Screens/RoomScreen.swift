/// The rooms of a Snapcast server, and one room while it is set.
enum RoomScreen {
  static func draw(_ rooms: [PanelRoom], cursor: Int, on screen: inout Screen) {
    let cursor = max(0, min(cursor, rooms.count))
    for (row, place) in screen.window(over: rooms.count + 1, cursor: cursor) {
      if place == cursor { screen.text("→", row: row) }
      guard place < rooms.count else {
        screen.text(fitting: screen.texts.label(.back), row: row, column: 1)
        continue
      }
      let room = rooms[place].written(by: screen.typesetter)
      let note = room.isConnected ? (room.isMuted ? screen.texts.muteMark : "\(room.volume)") : ""
      let end = screen.columns - max(1, note.count) - 1
      screen.entry(room.name, scrolls: place == cursor, row: row, column: 1, width: end - 1)
      screen.text(note, row: row, side: .right)
      if !room.isConnected { screen.put(.networkOff, row: row, column: screen.columns - 1) }
    }
  }

  static func draw(_ room: PanelRoom, on screen: inout Screen) {
    let room = room.written(by: screen.typesetter)
    let (number, share) = ("\(room.volume)", Double(room.volume) / 100)
    let width = Screen.width(ofDigits: number)
    let mark = room.isMuted ? screen.texts.muteMark : ""
    if screen.isTall {
      screen.put(room.isConnected ? .speaker : .networkOff, row: 0, column: 0)
      screen.scroll(room.name, row: 0, column: 2, width: screen.columns - 2 - (mark.isEmpty ? 0 : mark.count + 1))
      screen.text(mark, row: 0, side: .right)
      screen.digits(number, row: 1, column: (screen.columns - width) / 2)
      screen.bar(share, row: 3, column: 0, width: screen.columns)
    } else {
      let free = screen.columns - width - 1
      screen.scroll(room.name, row: 0, width: free)
      if !room.isConnected { screen.put(.networkOff, row: 1, column: 0) }
      let column = room.isConnected ? 0 : 2
      if room.isMuted {
        screen.text(mark, row: 1, column: column)
      } else {
        screen.bar(share, row: 1, column: column, width: free - column)
      }
      screen.digits(number, row: 0, column: free + 1)
    }
  }
}

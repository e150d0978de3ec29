/// The screen of a box that is a room: station, artist and title, and the room with its volume.
enum RoomPlayScreen {
  static func draw(_ view: PanelView, room: String, on screen: inout Screen) {
    let volume = view.isMuted ? screen.texts.muteMark : screen.isTall ? "\(view.volume) %" : "\(view.volume)"
    let name = room.isEmpty ? "Bakelite" : room
    let titles = view.state == .stopped ? [] : [view.artist, view.title].filter { !$0.isEmpty }
    let station = view.state == .stopped || view.station.isEmpty ? name : view.station
    let words = view.state == .stopped ? screen.form(screen.texts.stopped) : name
    screen.put(StationScreen.icon(view), row: 0, column: 0)
    if screen.isTall {
      screen.scroll(station, row: 0, column: 2, width: screen.columns - 2)
      let lines = titles.isEmpty && view.state == .stopped ? [words] : titles
      for (index, line) in lines.enumerated() { screen.scroll(line, row: 1 + index, width: screen.columns) }
      screen.text(volume, row: 3, side: .right)
      screen.entry(name, row: 3, column: 0, width: screen.columns - volume.count - 1)
    } else {
      screen.text(volume, row: 0, side: .right)
      screen.scroll(station, row: 0, column: 2, width: screen.columns - volume.count - 3)
      screen.scroll(titles.isEmpty ? words : titles.joined(separator: " - "), row: 1, width: screen.columns)
    }
  }
}

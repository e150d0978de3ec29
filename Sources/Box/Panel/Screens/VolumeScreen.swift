enum VolumeScreen {
  static func draw(_ value: Int, isMuted: Bool, on screen: inout Screen) {
    let words = isMuted ? screen.texts.muted : screen.texts.volume
    let number = "\(value)"
    let width = Screen.width(ofDigits: number)
    let share = Double(value) / 100
    if screen.isTall {
      screen.put(.speaker, row: 0, column: 0)
      screen.text(fitting: words, row: 0, column: 2)
      screen.digits(number, row: 1, column: (screen.columns - width) / 2)
      screen.bar(share, row: 3, column: 0, width: screen.columns)
    } else {
      let free = screen.columns - width - 1
      screen.text(screen.form(words, width: free), row: 0)
      screen.bar(share, row: 1, column: 0, width: free)
      screen.digits(number, row: 0, column: free + 1)
    }
  }
}

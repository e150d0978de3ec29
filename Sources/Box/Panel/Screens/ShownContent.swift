/// The values of a view that the radio's own screen shows, each as exact as on the display. Two views with the same
/// content have the same picture at the same time.
struct ShownContent: Equatable {
  /// The view without the values that only an overlay shows, and without the values below.
  private var view: PanelView
  private var fill = 0
  private var buffered = 0
  private var position: Int?
  private var timeShift = 0

  init(_ view: PanelView, columns: Int, isTall: Bool) {
    self.view = view
    // `StationScreen` draws these steps.
    if view.state != .stopped {
      fill = Screen.steps(StationScreen.fill(view), of: isTall ? columns / 2 * 5 : 8)
    }
    if view.fault != nil || view.state == .buffering { buffered = DurationText.whole(view.held) }
    position = view.position.map(DurationText.whole)
    if view.timeShift >= 1 { timeShift = DurationText.whole(view.timeShift) }
    removeExactValues()
    removeValuesOfOverlays()
  }

  private mutating func removeExactValues() {
    (view.held, view.heldBehind, view.timeShift) = (0, 0, 0)
    (view.position, view.duration, view.capacity) = (nil, nil, nil)
    // Levels change the display only with a frame of their bars, at a known time.
    if view.sound != nil { view.sound = .silence }
    if view.recording != nil { view.recording = .some(.shown) }
  }

  private mutating func removeValuesOfOverlays() {
    (view.stations, view.episodes, view.rooms) = ([], [], [])
    (view.stationIndex, view.episodeIndex) = (nil, nil)
    (view.question, view.webCode) = (nil, nil)
    (view.found, view.shelf) = (nil, nil)
    view.address = ""
  }
}

extension PanelSound {
  fileprivate static let silence = PanelSound()
}

extension PanelRecording {
  /// Any recording: the screen shows only its icon.
  fileprivate static let shown = PanelRecording(name: "", seconds: 0, roomSeconds: nil)
}

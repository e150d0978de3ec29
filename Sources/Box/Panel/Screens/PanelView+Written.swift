extension PanelView {
  /// A copy without names and titles that cannot be written, so that other texts take their place.
  func written(by typesetter: Typesetter) -> PanelView {
    func written(_ text: String) -> String { typesetter.canSet(text) ? text : "" }
    var view = self
    (view.station, view.artist, view.title) = (written(station), written(artist), written(title))
    (view.guest, view.room) = (guest.map(written), room.map(written))
    view.source?.station = written(source?.station ?? "")
    return view
  }
}

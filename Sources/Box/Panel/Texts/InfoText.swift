/// The lines of the menu's info page.
enum InfoText {
  static func lines(_ view: PanelView, _ texts: any DisplayTexts) -> [FittedText] {
    let address = view.address.isEmpty ? texts.noNetwork : FittedText(view.address)
    let version = FittedText("Bakelite \(view.version)")
    if let room = view.room { return [FittedText(room), address, version].filter { $0.forms != [""] } }
    let known: [FittedText?] = [
      view.station.isEmpty ? texts.noStation : FittedText(view.station),
      FittedText(view.format),
      texts.buffer(DurationText.brief(view.held)),
      texts.rewindable(
        DurationText.clock(view.heldBehind + view.timeShift), of: view.capacity.map(DurationText.clock)),
      view.recording.map { texts.recorded(DurationText.clock($0.seconds)) },
      DurationText.room(view.recording?.roomSeconds).map(texts.room),
      address, version,
    ]
    return known.compactMap { $0 }.filter { $0.forms != [""] }
  }
}

import Units

/// What becomes of a recording's titles on their way to its cue sheet. A value.
struct RecordingCues {
  /// Text that is to be sent.
  private(set) var text = ""
  private var sheet = CueSheet()
  /// The number of the title that was told last, -1 being none; nil before the first packet.
  private var number: Int?

  /// Notes a packet that begins at a moment of the programme, at `recorded` of what is recorded into `file`; `existing`
  /// is what that file had before, nil where it is new.
  mutating func note(
    _ moment: StreamTime, _ context: RecordingContext, at recorded: StreamTime, file: String,
    after existing: ExistingRecording?
  ) {
    let entry = context.titles.entry(at: moment)
    let number = entry?.number ?? -1
    guard number != self.number else { return }
    let isFirst = self.number == nil
    let station = context.station ?? ""
    if isFirst { begin(file, station: station, existing) }
    // A title that was told late began before this packet.
    let since = entry.map { max(.zero, moment - $0.at) } ?? .zero
    let at = isFirst ? recorded : recorded - min(since, recorded)
    text += sheet.track(entry?.title, station: station, at: (existing?.duration ?? .zero) + at)
    self.number = number
  }

  /// Begins the sheet, or goes on with the one that is there.
  private mutating func begin(_ file: String, station: String, _ existing: ExistingRecording?) {
    if let count = existing?.cueTrackCount {
      sheet = CueSheet(after: count)
    } else {
      text += CueSheet.head(file: FileName.last(file), station: station)
    }
  }

  /// What is to be sent; it is sent then.
  mutating func take() -> String {
    defer { text = "" }
    return text
  }
}

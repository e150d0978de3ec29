import Framing
import Units

/// Turns the titles of a recording into the text of its cue sheet. A value.
struct RecordingCues {
  private(set) var text = ""
  private var sheet = CueSheet()
  /// The number of the last title, -1 for no title; nil before the first packet.
  private var number: Int?

  /// Adds a packet at `moment` of the programme and at `recorded` of `file`; `existing`: the continued recording.
  mutating func add(
    _ moment: StreamTime, _ context: RecordingContext, at recorded: StreamTime, file: String,
    after existing: ExistingRecording?
  ) {
    let entry = context.titles.entry(at: moment)
    let number = entry?.number ?? -1
    guard number != self.number else { return }
    let isFirst = self.number == nil
    let station = context.station ?? ""
    if isFirst { begin(file, station: station, existing) }
    // A title that arrived late began before this packet.
    let since = entry.map { max(.zero, moment - $0.at) } ?? .zero
    let at = isFirst ? recorded : recorded - min(since, recorded)
    text += sheet.track(entry?.title, station: station, at: (existing?.duration ?? .zero) + at)
    self.number = number
  }

  private mutating func begin(_ file: String, station: String, _ existing: ExistingRecording?) {
    if let count = existing?.cueTrackCount {
      sheet = CueSheet(after: count)
    } else {
      text += CueSheet.head(file: FileName.last(file), station: station)
    }
  }

  mutating func removeText() -> String {
    defer { text = "" }
    return text
  }
}

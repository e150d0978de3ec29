import Units

/// A title and when, in a mount's file, its audio begins.
public struct TitleCue: Hashable, Sendable {
  /// From the start of the file.
  public var time: StreamTime
  /// What a radio shows.
  public var title: String

  /// A cue.
  public init(at time: StreamTime, title: String) {
    self.time = time
    self.title = title
  }

  /// The cues of a list: on each line a time in seconds, a tab or spaces, and the title. Empty lines and lines that
  /// begin with `#` are passed over; the order is that of the times.
  ///
  /// - Throws: `badTitleLine` with `path` and the number of the first line that is none.
  public static func list(_ text: String, path: String) throws(StationError) -> [TitleCue] {
    var cues: [TitleCue] = []
    let text = String(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let parts = line.split(maxSplits: 1) { $0 == "\t" || $0 == " " }
      guard let first = parts.first, !first.hasPrefix("#") else { continue }
      guard parts.count == 2, let seconds = Double(first), seconds.isFinite, seconds >= 0 else {
        throw .badTitleLine(path: path, line: index + 1)
      }
      let title = parts[1].drop { $0 == "\t" || $0 == " " }
      cues.append(TitleCue(at: StreamTime(seconds: seconds), title: String(title).printable))
    }
    return cues.sorted { $0.time < $1.time }
  }

  /// The title as an ICY metadata block: its length in units of 16 bytes, then the padded text, 4,080 bytes at most.
  var metadataBlock: [UInt8] {
    var text: [UInt8] = Array("StreamTitle='".utf8)
    for scalar in title.unicodeScalars where text.count + UTF8.width(scalar) <= 4080 - 2 {
      text += Array(String(scalar).utf8)
    }
    text += Array("';".utf8)
    let units = (text.count + 15) / 16
    return [UInt8(units)] + text + Array(repeating: 0, count: units * 16 - text.count)
  }
}

import Units

/// A title and its start in a mount's file.
public struct TitleCue: Hashable, Sendable {
  /// The time from the start of the file.
  public var time: StreamTime
  /// The title for radios.
  public var title: String

  /// Creates a cue.
  public init(at time: StreamTime, title: String) {
    self.time = time
    self.title = title
  }

  /// Parses a list: each line has a time in seconds, a tab or spaces, and a title. Skips empty lines and lines that
  /// start with `#`. Sorts by time.
  ///
  /// - Throws: `badTitleLine` with `path` and the number of the first invalid line.
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

  /// The title as an ICY metadata block: the length in units of 16 bytes, then the padded text, at most 4,080 bytes.
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

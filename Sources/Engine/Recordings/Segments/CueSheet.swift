import Framing
import Units

/// Formats the titles of a recording as a cue sheet: one track per title, UTF-8. Times have minutes, seconds and frames
/// of 1/75 s.
struct CueSheet {
  private(set) var trackCount = 0
  private var latest = StreamTime.zero

  init(after trackCount: Int = 0) { self.trackCount = trackCount }

  static func head(file: String, station: String) -> String {
    "REM COMMENT \"Recorded by Bakelite\"\nTITLE \(quoted(station))\nFILE \(quoted(file)) "
      + (file.lowercased().hasSuffix(".mp3") ? "MP3\n" : "WAVE\n")
  }

  mutating func track(_ title: Title?, station: String, at time: StreamTime) -> String {
    trackCount += 1
    latest = max(latest, max(.zero, time))
    let number = trackCount < 10 ? "0\(trackCount)" : "\(trackCount)"
    let artist = title?.artist.map { "    PERFORMER \(Self.quoted($0))\n" } ?? ""
    let track = title.map { $0.artist == nil ? $0.text : $0.track } ?? station
    return "  TRACK \(number) AUDIO\n    TITLE \(Self.quoted(track))\n\(artist)    INDEX 01 \(Self.index(latest))\n"
  }

  struct TrackCounter {
    private(set) var count = 0
    /// Bytes of `mark` that the line matches so far; nil after a difference, or after the line was counted.
    private var matched: Int? = 0

    private static let mark = Array("  TRACK ".utf8)

    mutating func append(_ bytes: some Sequence<UInt8>) {
      for byte in bytes {
        if byte == UInt8(ascii: "\n") {
          matched = 0
        } else if let place = matched {
          matched = byte == Self.mark[place] ? place + 1 : nil
          guard matched == Self.mark.count else { continue }
          (matched, count) = (nil, count + 1)
        }
      }
    }
  }

  /// Replaces quotes and removes control characters, because cue sheets have no escapes.
  static func quoted(_ text: String) -> String {
    let kept = DisplayText.clean(text, characterLimit: 240, byteLimit: 900).unicodeScalars.map { scalar in
      scalar == "\"" ? "'" : Character(scalar)
    }
    return "\"\(String(kept))\""
  }

  private static func index(_ time: StreamTime) -> String {
    let frames = Int(time.seconds * 75)
    return [frames / 75 / 60, frames / 75 % 60, frames % 75].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}

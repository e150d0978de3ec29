import Framing
import Units

/// The EXTINF of a segment (RFC 8216, 4.3.2.1): "9.98,title".
///
/// Some radio packagers write attributes instead of the title: `title="…",artist="…",url="…"`. Others write attributes
/// between the duration and the comma, which are ignored.
struct SegmentInformation {
  /// The duration, 0 … 3,600 s; 0 if unreadable.
  let duration: StreamTime
  private(set) var title: String?
  private(set) var artist: String?
  /// The mark of an ad instead of a title.
  private(set) var ad: AdMark?

  /// Parses the value. `isCut`: true if the line was truncated, so the title is unknown.
  init(_ value: ArraySlice<UInt8>, isCut: Bool) {
    let comma = Self.comma(in: value)
    let time = value[..<(comma ?? value.endIndex)].time ?? .zero
    duration = max(.zero, min(Self.maxDuration, time))
    guard let comma, !isCut else { return }
    let words = value[(comma + 1)...].trimmed.decoded
    guard !ListEntry.isPlaceholder(words) else { return }
    guard let sent = SentTitle(words) else {
      ad = AdMark(sent: words)
      return
    }
    title = ListEntry.title(sent.track[...])
    artist = sent.artist.flatMap { ListEntry.title($0[...]) }
  }

  /// Returns the comma after the duration: the first outside quotes, otherwise the first comma.
  private static func comma(in value: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    for place in value.indices {
      switch value[place] {
      case UInt8(ascii: ",") where !isQuoted: return place
      case UInt8(ascii: "\""): isQuoted.toggle()
      default: break
      }
    }
    return value.firstIndex(of: UInt8(ascii: ","))
  }

  private static let maxDuration = StreamTime(seconds: 3_600)
}

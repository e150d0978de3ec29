import Framing
import Units

/// The ads that a media playlist announces: EXT-X-CUE-OUT and EXT-X-CUE-IN before a segment, and EXT-X-DATERANGE
/// (RFC 8216, 4.3.2.7) with an interstitial or a splice (SCTE 35).
struct SegmentAds {
  private struct Range {
    var id: ArraySlice<UInt8>
    var start: Int64
    var length: StreamTime?
  }

  private var next: AdMark?
  /// The mark of the last EXTINF; equal marks of consecutive segments are one ad.
  private var last: AdMark?
  private var ranges: [Range] = []
  private var otherDates = 100

  private static let maxRangeCount = 32
  /// Maximum time by which a segment of a range may begin too early.
  private static let tolerance = StreamTime(seconds: 0.5)

  mutating func process(_ tag: HlsTag, _ value: ArraySlice<UInt8>) {
    switch tag {
    case .cueOut: next = .begin(AdBreak(.cue, length: value.time ?? AttributeList(value).seconds("DURATION")))
    case .cueContinued: next = .begin(AdBreak(.cue, length: Self.rest(value)))
    case .cueIn: next = .end
    case .dateRange: processRange(AttributeList(value))
    default: break
    }
  }

  /// Returns the mark of the next segment. `information`: its EXTINF.
  mutating func mark(_ information: SegmentInformation) -> AdMark? {
    defer { (next, last) = (nil, information.ad) }
    return next ?? (information.ad == last ? nil : information.ad)
  }

  /// Returns the rest of "10/30" or "ElapsedTime=10,Duration=30"; nil for any other form.
  private static func rest(_ value: ArraySlice<UInt8>) -> StreamTime? {
    let parts = value.split(separator: UInt8(ascii: "/"), maxSplits: 1)
    if parts.count == 2, let elapsed = parts[0].time, let length = parts[1].time { return length - elapsed }
    let attributes = AttributeList(value)
    let (length, elapsed) = (attributes.seconds("DURATION"), attributes.seconds("ELAPSEDTIME"))
    return length.flatMap { length in elapsed.map { length - $0 } }
  }

  /// A later range with the same ID changes the length.
  private mutating func processRange(_ attributes: AttributeList) {
    guard let id = attributes["ID"]?.bytes else { return }
    let length = attributes.seconds("DURATION") ?? attributes.seconds("PLANNED-DURATION")
    if let index = ranges.firstIndex(where: { $0.id == id }) {
      ranges[index].length = length ?? ranges[index].length
      return
    }
    let isInterstitial = attributes["CLASS"]?.text == "com.apple.hls.interstitial"
    guard isInterstitial || attributes["SCTE35-OUT"] != nil, let date = attributes["START-DATE"]?.bytes,
      let start = SegmentDate.nanoseconds(date, otherForms: &otherDates)
    else { return }
    if ranges.count == Self.maxRangeCount { ranges.removeFirst() }
    ranges.append(Range(id: id, start: start, length: length))
  }

  /// Marks the segments inside the ranges, each with the rest of the length, and the segment after each range.
  func mark(_ segments: inout [MediaSegment]) {
    for range in ranges {
      guard let early = SegmentDate.moment(range.start, plus: .zero - Self.tolerance),
        let end = SegmentDate.moment(range.start, plus: AdBreak(.cue, length: range.length).length ?? .zero)
      else { continue }
      let isOpen = end == range.start
      for index in segments.indices {
        guard let date = segments[index].date, date >= early, segments[index].ad == nil else { continue }
        if isOpen || date >= end {
          segments[index].ad = isOpen ? .begin(AdBreak(.cue)) : .end
          break
        }
        segments[index].ad = .begin(AdBreak(.cue, length: StreamTime(seconds: Double(end - date) / 1e9)))
      }
    }
  }
}

extension AttributeList {
  /// Returns an attribute in seconds, whose name may be in any case; nil without a number.
  fileprivate func seconds(_ name: String) -> StreamTime? {
    first { $0.name.uppercased() == name }?.bytes.time
  }
}

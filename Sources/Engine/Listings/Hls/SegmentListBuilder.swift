import Units

struct SegmentListBuilder {
  /// True after a tag that only media playlists have.
  private(set) var hasTags = false
  /// Number of segments so far, stored or not.
  private(set) var count: UInt64 = 0

  private var list = SegmentList()
  private var segments = NewestSegments()

  // Applies to the next segment only.
  private var information: SegmentInformation?
  private var range: SegmentRange.Written?
  private var isRangeBroken = false
  private var isDiscontinuous = false
  private var isGap = false

  // Applies until it is replaced.
  private var discontinuities: UInt64 = 0
  private var openKey: SegmentKey?
  private var drmKey: SegmentKey?
  private var map: SegmentMap?
  private var clock: Int64?
  private var otherDates = 1_000
  private var last: MediaSegment?
  private var ads = SegmentAds()
  /// True if a byte range without offset has no defined start, because an earlier range or address was unreadable.
  private var isOffsetLost = false

  var isSegmentNext: Bool { information != nil }

  /// RFC 8216, 4.3.2.4: several keys may apply, and one is enough.
  private var key: SegmentKey? { openKey ?? drmKey }

  /// Processes a tag. `isCut`: true if its line was truncated.
  mutating func process(_ tag: HlsTag, _ value: ArraySlice<UInt8>, isCut: Bool) {
    hasTags = true
    switch tag {
    case .information: information = SegmentInformation(value, isCut: isCut)
    // Segments with unreadable encryption must not be played as unencrypted.
    case .key where isCut: openKey = .unreadable
    case _ where isCut: break
    case .date: clock = SegmentDate.nanoseconds(value, otherForms: &otherDates) ?? clock
    case .byteRange:
      range = SegmentRange.Written(value)
      isRangeBroken = range == nil
    case .discontinuity:
      discontinuities += 1
      isDiscontinuous = true
    case .gap: isGap = true
    case .key: processKey(SegmentKey(AttributeList(value)))
    case .map: map = SegmentMap(AttributeList(value), key: key) ?? map
    case .cueOut, .cueContinued, .cueIn, .dateRange: ads.process(tag, value)
    default: processProperty(tag, value)
    }
  }

  private mutating func processKey(_ key: SegmentKey?) {
    switch key {
    case nil: (openKey, drmKey) = (nil, nil)
    case let key? where key.isDrm: drmKey = key
    case let key?: openKey = key
    }
  }

  private mutating func processProperty(_ tag: HlsTag, _ value: ArraySlice<UInt8>) {
    switch tag {
    case .target: processTarget(value.time)
    case .sequence:
      list.sequence = min(value.wholeNumber ?? 0, Self.maxSequence)
      list.isNumbered = value.wholeNumber != nil
    case .discontinuitySequence: list.discontinuitySequence = min(value.wholeNumber ?? 0, Self.maxSequence)
    case .end: list.isEnded = true
    case .type where value.begins(anyCase: "vod"): list.form = .complete
    case .type where value.begins(anyCase: "event"): list.form = .growing
    case .serverControl:
      for attribute in AttributeList(value) where attribute.name == "HOLD-BACK" {
        list.holdBack = attribute.bytes.time.map { max(.zero, min(Self.maxTarget, $0)) }
      }
    default: break
    }
  }

  private mutating func processTarget(_ time: StreamTime?) {
    guard let time, time > .zero else { return }
    list.targetDuration = max(Self.minTarget, min(Self.maxTarget, time))
    list.targetOrigin = list.targetDuration == time ? .told : .clamped
  }

  // MARK: Segments

  /// Processes a segment's address; a truncated address (`isCut`) is unusable.
  mutating func processAddress(_ line: ArraySlice<UInt8>, isCut: Bool) {
    guard let information else { return }
    let (index, date, range) = (count, clock, range)
    count += 1
    clock = clock.flatMap { SegmentDate.moment($0, plus: information.duration) }
    defer {
      self.information = nil
      self.range = nil
      isRangeBroken = false
      isGap = false
    }
    let needsOffset = range != nil && range?.offset == nil
    isOffsetLost = isCut || isRangeBroken || needsOffset && isOffsetLost
    // A skipped segment passes its discontinuity to the next segment.
    guard !isOffsetLost else { return }
    let address = line.decoded
    var next: Int64 = 0
    if needsOffset, let last, let before = last.range, last.address == address { next = before.end }
    guard next <= Self.maxOffset else { return }
    // Shares the memory of equal titles.
    let title = information.title == last?.title ? last?.title : information.title
    let artist = information.artist == last?.artist ? last?.artist : information.artist
    let details = SegmentDetails(
      SegmentDetails.Fields(
        title: title, artist: artist, range: range?.range(behind: next), isGap: isGap, ad: ads.mark(information),
        map: map, key: key))
    var segment = MediaSegment(
      address: address, sequence: index, discontinuity: discontinuities, isDiscontinuous: isDiscontinuous,
      duration: information.duration, date: date, details: details)
    let byteCount = segment.share(with: last)
    segments.append(segment, byteCount: byteCount)
    last = segment
    isDiscontinuous = false
  }

  // MARK: The end

  mutating func finish(version: Int, start: PlaylistStart?, variables: PlaylistVariables) -> SegmentList {
    var list = list
    (list.version, list.start) = (version, start)
    var cleaner = SegmentCleaner(list, variables, count: segments.count)
    while let segment = segments.popLast() {
      guard cleaner.add(segment) else { break }
    }
    list.segments = cleaner.removeSegments()
    ads.mark(&list.segments)
    list.missingCount = Int(clamping: count) - list.segments.count
    if list.targetOrigin == .estimated {
      let longest = list.segments.map(\.duration).max()
      list.targetDuration = longest.map { max(Self.minTarget, $0.wholeSecondsUp) } ?? Self.usual
    }
    return list
  }

  private static let minTarget = StreamTime(seconds: 1)
  private static let usual = StreamTime(seconds: 10)
  private static let maxTarget = StreamTime(seconds: 3_600)
  private static let maxSequence: UInt64 = 1 << 63
  private static let maxOffset: Int64 = 1 << 61
}

extension StreamTime {
  fileprivate var wholeSecondsUp: StreamTime {
    let seconds = (ticks + StreamTime.ticksPerSecond - 1) / StreamTime.ticksPerSecond
    return StreamTime(ticks: seconds * StreamTime.ticksPerSecond)
  }
}

extension MediaSegment {
  /// Shares equal details with the previous segment. Returns the number of text bytes that the segments do not share.
  fileprivate mutating func share(with before: MediaSegment?) -> Int {
    var byteCount = address.utf8.count
    if details == before?.details {
      details = before?.details
      return byteCount
    }
    if title != before?.title { byteCount += title?.utf8.count ?? 0 }
    if artist != before?.artist { byteCount += artist?.utf8.count ?? 0 }
    if map != before?.map { byteCount += (map?.address.utf8.count ?? 0) + (map?.key?.address?.utf8.count ?? 0) }
    if key != before?.key { byteCount += key?.address?.utf8.count ?? 0 }
    return byteCount
  }
}
